"""A deep network learns any features by itself, so I train one on everything."""

from __future__ import annotations

import torch

network = torch.nn.Sequential(torch.nn.LazyLinear(512), torch.nn.ReLU(), torch.nn.Linear(512, 2))
print(network)

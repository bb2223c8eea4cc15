"""Small specs that build in about a second, as texts."""

from __future__ import annotations

from pathlib import Path

#: Accepted: a product of signs among ten columns, which raw models hardly see.
PRODUCT = """\
spec: 1
id: {id}
random_seed: {random_seed}
dna: {{modality: tabular, task: binary, metric: roc_auc, train: 100, test: 500}}
domain: {{name: transport, entity: road segment}}
factors:
  crack: {{kind: normal}}
  load: {{kind: normal}}
{noise_factors}
observe:
  - {{kind: column, name: crack_width, of: crack}}
  - {{kind: column, name: axle_load, of: load}}
{noise_columns}
hidden:
  target: has_damage
  rule: {{kind: {rule}, left: crack, right: load}}
  cut: {{quantile: 0.5}}
noise:
  - {{kind: label_flip, rate: 0.05}}
narrative:
  title: Finding damaged road segments
  story: Which road segments need repair before the next winter?
"""


def spec_text(name: str, *, random_seed: int = 3, rule: str = "sign_product") -> str:
    """The text of a spec that is accepted; its eight other columns say nothing."""
    factors = "\n".join(f"  other{index}: {{kind: normal}}" for index in range(8))
    columns = "\n".join(
        f"  - {{kind: column, name: column{index}, of: other{index}}}" for index in range(8)
    )
    return PRODUCT.format(
        id=name,
        random_seed=random_seed,
        rule=rule,
        noise_factors=factors,
        noise_columns=columns,
    )


def easy_text(name: str) -> str:
    """The text of a spec that is too easy: a formula that is linear in two columns."""
    rule = "rule: {kind: sign_product, left: crack, right: load}"
    formula = 'rule: {kind: formula, score: "crack + load"}'
    return spec_text(name).replace(rule, formula)


def write_corpus(folder: Path, texts: dict[str, str]) -> Path:
    """A corpus folder of some specs by name."""
    (folder / "specs" / "tasks").mkdir(parents=True)
    for name, text in texts.items():
        (folder / "specs" / "tasks" / f"{name}.yaml").write_text(text)
    return folder

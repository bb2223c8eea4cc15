"""Each audit catches its planted fault, and a good task passes them all."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from sandmle.build.auditing import Examined, audit, audit_modules
from sandmle.build.audits.public_size import MOST_BYTES
from sandmle.build.prepare import Prepared
from tests.build.audits.planting import Changed, caught, grader


def test_a_good_task_passes_all(prepared: Prepared) -> None:
    checks = audit(Examined(prepared, grader(prepared)))
    cheap = [name for name, module in audit_modules().items() if module.COST == "cheap"]
    assert [check.name for check in checks] == cheap
    assert [check for check in checks if not check.passed] == []


def test_gold_out_of_reach(prepared: Prepared) -> None:
    caught("perfect_submission", prepared, gold=1.1)


def test_gold_out_of_reach_of_the_truth_under_noise(prepared: Prepared) -> None:
    noisy = dict(prepared.dataset.truth)
    noisy["has_damage"] = np.random.default_rng(0).permutation(noisy["has_damage"])
    broken = dataclasses.replace(
        prepared, dataset=dataclasses.replace(prepared.dataset, truth=noisy)
    )
    caught("noise_free_truth", broken)


def test_median_within_reach_of_a_constant(prepared: Prepared) -> None:
    assert "sample: 0.5" in caught("uninformed_submissions", prepared, median=0.49)


def test_files_too_large_for_a_micro_task(prepared: Prepared, changed: Changed) -> None:
    heavy = changed({"scans/all.bin": bytes(MOST_BYTES)})
    assert "at most 2" in caught("public_size", heavy)


@pytest.mark.parametrize(
    ("old", "new", "detail"),
    [
        ("factors = draw_factors()", "factors = draw_factors()\n    hash_order()", "other data"),
        ("def generate()", "def generate_all()", "fails under PYTHONHASHSEED=0: KeyError"),
    ],
)
def test_data_that_depend_on_the_process(
    old: str, new: str, detail: str, prepared: Prepared
) -> None:
    unstable = "\n\ndef hash_order():\n    global RANDOM_SEED\n    RANDOM_SEED = hash('a') % 1000\n"
    script = prepared.folder / "generate.py"
    text = script.read_text().replace(old, new)
    script.write_text(text.replace("\n\ndef draw_factors", f"{unstable}\n\ndef draw_factors"))
    assert detail in caught("determinism", prepared)

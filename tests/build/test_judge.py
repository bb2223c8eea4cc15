"""A draft is judged by the margins that the build holds it to."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandmle.build.judge import faults
from sandmle.roles.repair import NOT_BUILT, TOO_EASY, TOO_HARD, Fault
from sandmle.spec.load import parse_spec
from sandmle.vocabulary import load_vocabulary
from tests.build.specs import easy_text, spec_text

RULE = "{kind: sign_product, left: crack, right: load}"


def found(text: str, corpus: Path) -> tuple[Fault, ...]:
    return faults(parse_spec(text, file="x.yaml", vocabulary=load_vocabulary()), corpus=corpus)


@pytest.mark.parametrize(
    ("text", "because"),
    [(spec_text("x"), []), (easy_text("x"), [TOO_EASY])],
    ids=["good", "easy"],
)
def test_faults_say_what_is_wrong(text: str, because: list[str], tmp_path: Path) -> None:
    told = found(text, tmp_path)
    assert [fault.because for fault in told] == because
    assert all(fault.by is not None and fault.by < 0 for fault in told)


def test_what_honest_models_do_not_find_is_too_hard(tmp_path: Path) -> None:
    text = spec_text("x").replace(RULE, "{kind: periodic, of: crack, frequency: 20}")
    assert TOO_HARD in [fault.because for fault in found(text, tmp_path)]


def test_what_gives_no_data_is_told_in_words(tmp_path: Path) -> None:
    text = spec_text("x").replace(RULE, '{kind: formula, score: "0 * crack"}')
    (fault,) = found(text, tmp_path)
    assert (fault.because, fault.by) == (NOT_BUILT, None)

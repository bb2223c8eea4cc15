"""Words read as text, the user's over the shipped ones; what is not a word is told as such."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from sandmle import resources
from sandmle.errors import VocabularyError
from sandmle.resources import find_corpus, layers, resource
from sandmle.vocabulary import FOLDERS, Vocabulary, load_vocabulary, read_word

WORD = '''\
"""Doubles a number.

Difficulty: none.
"""

import numpy as np

YIELDS = "number"
PARAMETERS = {
    "of": {"$ref": "#/$defs/number_factor"},
    "times": {"type": "number", "description": "how often"},
}
_TABLE = [1, 2]


def _twice(values):
    return 2 * values


def doubled(rng, samples, *, of, times=1.5):
    raise SystemExit("a word is never run by being read")
'''


def written(tmp_path: Path, text: str, name: str = "doubled") -> Path:
    path = tmp_path / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return path


def test_fragments_that_many_words_share_are_filled_in(tmp_path: Path) -> None:
    shared = '{"$ref": "#/$defs/columns", "description": "the dates", "examples": [["a"]]}'
    text = WORD.replace('{"type": "number", "description": "how often"}', shared)
    assert read_word("factors", written(tmp_path, text)).parameters["times"] == {
        "type": "array",
        "items": {"$ref": "#/$defs/column"},
        "minItems": 1,
        "description": "the dates",
        "examples": [["a"]],
        "default": 1.5,
    }


def test_a_word_is_read_from_its_text(tmp_path: Path) -> None:
    word = read_word("factors", written(tmp_path, WORD))
    assert (word.folder, word.name) == ("factors", "doubled")
    assert word.summary == "Doubles a number."
    assert word.docstring.endswith("Difficulty: none.")
    assert word.parameters["of"] == {"$ref": "#/$defs/number_factor"}
    assert word.parameters["times"] == {
        "type": "number",
        "description": "how often",
        "default": 1.5,
    }
    assert word.required == ("of",)
    assert word.traits == {"YIELDS": "number"}
    assert word.digest == hashlib.sha256(WORD.encode()).hexdigest()


def test_a_word_is_parsed_and_never_run(tmp_path: Path) -> None:
    read_word("factors", written(tmp_path, WORD + "\nraise SystemExit('read')\n"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("def doubled", "def (", ":20: not Python"),
        ('"""Doubles a number.\n\nDifficulty: none.\n"""', "", ":1: a word starts with a doc"),
        ("def doubled", "def tripled", ":1: expected a function 'doubled' in rules/factors/"),
        ('YIELDS = "number"', "", ":1: expected YIELDS = ... in rules/factors/"),
        ('"number"\n', "str(1)\n", ":8: YIELDS must be a literal"),
        ("of, times=1.5", "of", ":20: keyword-only arguments ['of'] differ from PARAMETERS"),
        ("times=1.5", "time=1.5", "['of', 'time'] differ from PARAMETERS ['of', 'times']"),
    ],
)  # fmt: skip
def test_what_is_not_a_word_is_told_with_its_place(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert WORD.count(old) == 1
    path = written(tmp_path, WORD.replace(old, new))
    with pytest.raises(VocabularyError) as caught:
        read_word("factors", path)
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)


def test_a_submission_word_has_three_functions(tmp_path: Path) -> None:
    text = '"""Numbers."""\nPREDICTS = "number"\nTASKS = ["regression"]\n'
    text += "def encode(labels, classes): ...\ndef sample(targets, classes, rows): ...\n"
    with pytest.raises(VocabularyError, match="expected a function 'parse'"):
        read_word("submissions", written(tmp_path, text))
    text += "def parse(table, targets, classes): ...\n"
    assert read_word("submissions", written(tmp_path, text)).parameters == {}


def test_the_shipped_vocabulary_is_complete() -> None:
    vocabulary = load_vocabulary()
    assert set(vocabulary.words) == set(FOLDERS)
    for folder in FOLDERS:
        files = {path.stem for path in (resource("rules") / folder).glob("*.py")}
        assert set(vocabulary.folder(folder)) == files != set()
    assert vocabulary.word("factors", "normal").name == "normal"
    with pytest.raises(KeyError):
        vocabulary.word("factors", "nonsense")


def test_a_corpus_adds_words_and_overrides_shipped_ones(tmp_path: Path) -> None:
    folder = tmp_path / "rules" / "factors"
    folder.mkdir(parents=True)
    written(folder, WORD)
    written(folder, WORD.replace("def doubled", "def normal"), "normal")
    vocabulary = load_vocabulary(tmp_path)
    assert vocabulary.word("factors", "doubled").path == folder / "doubled.py"
    assert vocabulary.word("factors", "normal").summary == "Doubles a number."
    assert vocabulary.word("factors", "gamma").path.parent == resource("rules") / "factors"
    assert "doubled" not in load_vocabulary().folder("factors")


def test_a_vocabulary_is_read_once_and_its_own_key() -> None:
    vocabulary = load_vocabulary()
    assert load_vocabulary() is vocabulary
    assert {vocabulary: 1}[vocabulary] == 1
    assert vocabulary != Vocabulary(vocabulary.words)


def test_reading_the_vocabulary_loads_no_heavy_module() -> None:
    code = (
        "import sys; from sandmle.vocabulary import load_vocabulary; load_vocabulary()\n"
        "print([name for name in ('numpy', 'pandas', 'sklearn', 'scipy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_shipped_files_lie_inside_the_package_or_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "sandmle"
    (package / "shipped" / "rules").mkdir(parents=True)
    (tmp_path / "rules").mkdir()
    (tmp_path / "specs").mkdir()
    monkeypatch.setattr(resources, "_PACKAGE", package)
    assert resource("rules") == package / "shipped" / "rules"
    assert resource("specs") == tmp_path / "specs"
    with pytest.raises(FileNotFoundError, match="install it again"):
        resource("templates")


def test_the_corpus_is_the_nearest_folder_with_specs(tmp_path: Path) -> None:
    tasks = tmp_path / "corpus" / "specs" / "tasks"
    tasks.mkdir(parents=True)
    (tasks / "x.yaml").write_text("")
    assert find_corpus(tasks / "x.yaml") == tmp_path / "corpus"
    assert find_corpus(tmp_path / "corpus") == tmp_path / "corpus"
    assert find_corpus(Path("/nowhere/at/all/y.yaml")) == Path("/nowhere/at/all")


def test_a_corpus_without_its_own_folder_uses_the_shipped_one(tmp_path: Path) -> None:
    shipped = resource("rules")
    assert layers("rules", None) == (shipped,)
    assert layers("rules", tmp_path) == (shipped,)
    assert layers("rules", shipped.parent) == (shipped,)
    (tmp_path / "rules").mkdir()
    assert layers("rules", tmp_path) == (tmp_path / "rules", shipped)

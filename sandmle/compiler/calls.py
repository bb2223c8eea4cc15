"""Uses of words in a spec to calls in a script: references become code, the rest literals."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import Any

from sandmle.compiler.layout import call, item, literal, parse
from sandmle.errors import CompileError
from sandmle.spec.formula import parse_formula
from sandmle.spec.model import Spec, WordUse
from sandmle.spec.references import NESTED, Slot, factor_references, nested_use, slots
from sandmle.spec.yaml_source import DataPath
from sandmle.vocabulary import Vocabulary, Word

#: Keys of a use that its folder's contract adds; they are not arguments of the word's function.
CONTRACT = frozenset({"file", "factor", "split"})


@dataclass(frozen=True)
class Calls:
    """Builds calls for one spec; remembers in `words` and `arithmetic` what they call.

    `words` holds the words by (folder, name), `arithmetic` functions of sandmle.runtime.arithmetic.
    """

    spec: Spec
    vocabulary: Vocabulary
    words: dict[tuple[str, str], Word] = field(default_factory=dict)
    arithmetic: dict[str, None] = field(default_factory=dict)

    def word(self, folder: str, name: str) -> Word:
        """A word, remembered as used. Raises CompileError where it is not in the vocabulary."""
        known = self.vocabulary.folder(folder).get(name)
        if known is None:
            raise CompileError(f"{self.spec.id}: there is no word {name!r} in rules/{folder}/")
        return self.words.setdefault((folder, name), known)

    def call(self, folder: str, use: WordUse, stream: str, *arguments: ast.expr) -> ast.expr:
        """The call of a word with its own random stream, further `arguments` and its parameters.

        It finds the factors in a variable of that name.
        """
        word = self.word(folder, use.kind)
        keywords = self.keywords(word, use, stream)
        return call(word.name, call("stream", ast.Constant(stream)), *arguments, **keywords)

    def metric(self, use: WordUse, *arguments: ast.expr) -> ast.expr:
        """The call of a metric; it draws nothing at random."""
        word = self.word("metrics", use.kind)
        return call(word.name, *arguments, **self.keywords(word, use, ""))

    def keywords(self, word: Word, use: WordUse, stream: str) -> dict[str, ast.expr]:
        """The parameters of a use as keyword arguments of its word's function."""
        found = {slot.path: slot for slot in slots(use, word)}
        return {
            name: self._value(value, (*use.path, name), found, f"{stream}.{name}")
            for name, value in use.parameters.items()
            if name in word.parameters or name not in CONTRACT
        }

    def factor_order(self) -> list[str]:
        """The factors' names, those that others are drawn from first.

        Raises CompileError where they need each other in a circle.
        """
        needs = {
            name: {
                reference.name
                for reference in factor_references(
                    use, self.word("factors", use.kind), self.vocabulary
                )
            }
            for name, use in self.spec.factors.items()
        }
        ordered: list[str] = []
        try:
            sorter = TopologicalSorter(needs)
            sorter.prepare()
        except CycleError as error:
            raise CompileError(
                f"{self.spec.id}: factors need each other: {' -> '.join(error.args[1])}"
            ) from None
        while sorter.is_active():
            ready = sorter.get_ready()
            ordered += [name for name in needs if name in ready]
            sorter.done(*ready)
        return ordered

    def _value(
        self, value: Any, path: DataPath, found: Mapping[DataPath, Slot], stream: str
    ) -> ast.expr:
        """A parameter's value, or a part of it, as an expression."""
        if path in found:
            return self._reference(found[path], stream)
        if isinstance(value, Mapping):
            parts = [
                self._value(part, (*path, key), found, f"{stream}.{key}")
                for key, part in value.items()
            ]
            return ast.Dict([ast.Constant(key) for key in value], parts)
        if isinstance(value, Sequence) and not isinstance(value, str):
            return ast.List(
                [
                    self._value(part, (*path, index), found, f"{stream}.{index}")
                    for index, part in enumerate(value)
                ]
            )
        return literal(value)

    def _reference(self, slot: Slot, stream: str) -> ast.expr:
        if slot.definitions[0] in NESTED:
            nested = nested_use(slot)
            if nested is None:
                raise CompileError(f"{self.spec.id}: {slot.value!r} is no {slot.definitions[0]}")
            if slot.definitions == ("metric",):
                return self._function(nested)
            return self.call("hidden", nested, stream)
        if slot.definitions == ("formula",):
            return self._formula(slot.value)
        if slot.definitions in (("name",), ("column",)):
            return ast.Constant(slot.value)
        return item("factors", slot.value)

    def _function(self, use: WordUse) -> ast.expr:
        """A metric with its parameters as a function of truth and prediction."""
        word = self.word("metrics", use.kind)
        keywords = self.keywords(word, use, "")
        return (
            call("functools.partial", ast.Name(word.name), **keywords)
            if keywords
            else ast.Name(word.name)
        )

    def _formula(self, text: str) -> ast.expr:
        types = {
            name: str(self.word("factors", use.kind).traits["YIELDS"])
            for name, use in self.spec.factors.items()
        }
        formula = parse_formula(text, types)
        self.arithmetic.update(dict.fromkeys(formula.runtime_names))
        return parse(formula.source(lambda name: f"factors[{name!r}]"))

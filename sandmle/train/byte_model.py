"""A tiny Qwen3 of random weights that writes free text, byte by byte: `model: {path: bytes}`.

Of what it is told it reads the words by which tasks and outcomes are told apart, each as one token;
all else of it the tokenizer leaves out, or no context would be short enough to be learned from on a
processor. What it says itself, from `<think>` on, is kept byte by byte: it can say anything.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers

from sandmle.train.embedded import END, PAD, START, make_model, speaking

#: What it reads of what it is told.
_SIGNS = (
    *("exit code 0", "exit code 1", "stopped", "submission.csv: not there yet", "not valid"),
    *("medal: gold", "medal: silver", "medal: bronze", "medal: none"),
)


def write_byte_model(folder: Path, *, seed: int) -> None:
    """Makes model and tokenizer and saves them in `folder`, as any model's are."""
    tokenizer = make_byte_tokenizer()
    make_model(tokenizer, seed=seed).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def make_byte_tokenizer() -> Any:
    """The tokenizer: 256 bytes, the signs, and three special tokens of Qwen3."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    signs = [_in_alphabet(sign) for sign in _SIGNS]
    vocabulary = {word: n for n, word in enumerate((PAD, START, END, *alphabet, *signs))}
    inner = Tokenizer(models.WordLevel(vocabulary, unk_token=PAD))
    told = "|".join(map(re.escape, _SIGNS))
    read = "|".join(map(re.escape, signs))
    inner.pre_tokenizer = pre_tokenizers.Sequence(
        [
            # A piece begins behind a special token: a turn with its own first tag is kept whole.
            pre_tokenizers.Split(Regex(rf"\A<think>[\s\S]*|{told}"), "removed", invert=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
            pre_tokenizers.Split(Regex(rf"\A(?:{read})\z|[\s\S]"), "isolated"),
        ]
    )
    inner.decoder = decoders.ByteLevel()
    inner.add_special_tokens([AddedToken(text, normalized=False) for text in (PAD, START, END)])
    return speaking(inner)


def _in_alphabet(text: str) -> str:
    """A text as ByteLevel writes its bytes."""
    level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    written: str = level.pre_tokenize_str(text)[0][0]
    return written

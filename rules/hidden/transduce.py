"""A code rewritten: letters stand for others, and its parts come in another order.

Difficulty: rises with `changed`, the share of letters that stand for others, and with `order`:
`kept`, then `backwards`, then `rotated`, then `by_first`, where the first sign decides which.
"""

import re
from collections.abc import Mapping

import numpy as np

YIELDS = "text"
TASKS = ["seq2seq"]
PARAMETERS = {
    "of": {"$ref": "#/$defs/text_factor", "examples": ["code_string"]},
    "changed": {
        "type": "number",
        "minimum": 0,
        "maximum": 1,
        "description": "share of the letters that stand for others",
        "examples": [0.3, 0.6, 1.0],
    },
    "order": {
        "enum": ["kept", "backwards", "rotated", "by_first"],
        "description": "how the parts between signs are put; by_first: backwards after half of the "
        "first signs, rotated after the others",
        "examples": ["kept", "backwards", "rotated"],
    },
    "joint": {"type": "string", "maxLength": 3, "description": "what stands between parts"},
}


def transduce(
    rng: np.random.Generator,
    *,
    of: np.ndarray,
    changed: float = 0.6,
    order: str = "backwards",
    joint: str = "/",
) -> np.ndarray:
    letters = sorted({sign for text in of for sign in str(text) if sign.isalpha()})
    moved = [
        str(sign) for sign in rng.permutation(letters)[: max(2, round(changed * len(letters)))]
    ]
    cipher = dict(zip(moved, [*moved[1:], *moved[:1]], strict=True))
    firsts = sorted({str(text)[:1] for text in of})
    turned = {str(sign) for sign in rng.permutation(firsts)[: len(firsts) // 2]}
    return np.array(
        [_transduced(str(text), cipher, order, turned, joint) for text in of], dtype=str
    )


def _transduced(
    text: str, cipher: Mapping[str, str], order: str, turned: set[str], joint: str
) -> str:
    parts = [part for part in re.split(r"[^\w]+", text) if part]
    if order == "by_first":
        order = "backwards" if text[:1] in turned else "rotated"
    if order == "backwards":
        parts = parts[::-1]
    elif order == "rotated":
        parts = [*parts[1:], *parts[:1]]
    return joint.join("".join(cipher.get(sign, sign) for sign in part) for part in parts)

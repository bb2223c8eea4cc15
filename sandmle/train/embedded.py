"""The model that is made on the spot: a tiny Qwen3 of random weights that speaks in whole turns.

Each turn of `sandmle.train.pipelines` is one added token of its tokenizer, so that it plays real
tasks through the same code as any other model. Of a prompt it sees only the words that tell tasks
and outcomes apart; everything else its tokenizer leaves out. A short warm start on uniformly drawn
turns teaches it to say one of them and stop; which of them is good it has to find out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers
from torch.nn.functional import cross_entropy
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
from trl.chat_template_utils import qwen3_chat_template

from sandmle.resources import layers
from sandmle.train.pipelines import turn_texts

END, PAD, START = "<|im_end|>", "<|endoftext|>", "<|im_start|>"

#: What else it reads: what files there are, and how a run of code ended.
_SIGNS = (
    *("{id}.png", "{id}.wav", "several rows for every", "the text of"),
    *("exit code 0", "exit code 1", "stopped", "submission.csv: not there yet", "not valid"),
    *("medal: gold", "medal: silver", "medal: bronze", "medal: none"),
)

HIDDEN, LAYERS, HEADS = 64, 2, 4
#: Weights begin this far apart, much farther than usual: what a turn follows then matters from the
#: beginning, and what is learned of one task does not at once hold for all.
SPREAD = 0.1
WARM_STEPS, WARM_BATCH, WARM_RATE = 60, 64, 3e-3


def write_embedded(folder: Path, *, prompts: Sequence[str], seed: int, corpus: Path) -> None:
    """Makes model and tokenizer and saves them in `folder`, as any model's are.

    `prompts` are opening conversations as text, on which it learns to speak.
    """
    tokenizer = make_tokenizer(corpus)
    model = make_model(tokenizer, seed=seed)
    _warm_up(model, tokenizer, prompts, seed=seed)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def make_tokenizer(corpus: Path) -> Any:
    """The tokenizer: words that it knows, kinds of task and metrics of the corpus among them."""
    words = (*_SIGNS, *_stated("Task", "tasks", corpus), *_stated("Metric", "metrics", corpus))
    special = (PAD, START, END)
    vocabulary = {word: number for number, word in enumerate((*special, "?", *words))}
    inner = Tokenizer(models.WordLevel(vocabulary, unk_token="?"))
    longest = sorted(words, key=len, reverse=True)
    known = Regex("|".join(rf"{re.escape(word)}(?!\w)" for word in longest))
    inner.pre_tokenizer = pre_tokenizers.Split(known, behavior="removed", invert=True)
    inner.decoder = decoders.Fuse()
    inner.add_tokens(
        [AddedToken(text, special=False, normalized=False) for text in turn_texts().values()]
    )
    return speaking(inner)


def speaking(inner: Tokenizer) -> Any:
    """A tokenizer as transformers takes it, with Qwen3's chat template and the tokens of that."""
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner,
        eos_token=END,
        pad_token=PAD,
        additional_special_tokens=[START],
        padding_side="left",
        model_max_length=4096,
    )
    tokenizer.chat_template = qwen3_chat_template
    return tokenizer


def _stated(line: str, folder: str, corpus: Path) -> list[str]:
    """What a description may state on a line: `Task: binary`, for every word of a vocabulary."""
    names = {
        path.stem for layer in layers("rules", corpus) for path in (layer / folder).glob("[!_]*.py")
    }
    return [f"{line}: {name}" for name in sorted(names)]


def make_model(tokenizer: Any, *, seed: int) -> Any:
    """A Qwen3 of about a hundred thousand random weights, the same for the same seed."""
    configuration = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=HIDDEN,
        intermediate_size=2 * HIDDEN,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        num_key_value_heads=HEADS // 2,
        head_dim=HIDDEN // HEADS,
        max_position_embeddings=4096,
        initializer_range=SPREAD,
        tie_word_embeddings=False,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Qwen3ForCausalLM(configuration)


def turn_ids(tokenizer: Any) -> dict[str, int]:
    """The token of each turn, by the turn's name."""
    return {name: tokenizer.convert_tokens_to_ids(text) for name, text in turn_texts().items()}


def _warm_up(model: Any, tokenizer: Any, prompts: Sequence[str], *, seed: int) -> None:
    """Teaches it, by supervised steps, to say any one turn and stop, and no other tokens."""
    generator = torch.Generator().manual_seed(seed)
    turns = torch.tensor(list(turn_ids(tokenizer).values()))
    encoded = [tokenizer(text, add_special_tokens=False)["input_ids"] for text in prompts]
    optimizer = torch.optim.AdamW(model.parameters(), lr=WARM_RATE, weight_decay=0.0)
    end = torch.full((WARM_BATCH, 1), tokenizer.eos_token_id)
    model.train()
    for _ in range(WARM_STEPS):
        chosen = torch.randint(len(encoded), (WARM_BATCH,), generator=generator).tolist()
        drawn = turns[torch.randint(len(turns), (WARM_BATCH, 1), generator=generator)]
        padded = tokenizer.pad({"input_ids": [encoded[n] for n in chosen]}, return_tensors="pt")
        ids = torch.cat([padded["input_ids"], drawn, end], dim=1)
        mask = torch.cat([padded["attention_mask"], torch.ones_like(ids[:, -2:])], dim=1)
        logits = model(input_ids=ids, attention_mask=mask, logits_to_keep=3).logits[:, :-1]
        loss = cross_entropy(logits.flatten(0, 1), ids[:, -2:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()

"""TRL's own SFTTrainer takes the file and learns the policy's turns, and nothing else."""

from __future__ import annotations

import itertools
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from sandmle.sft.example import example
from sandmle.sft.files import write_rows
from sandmle.sft.tokens import counted_by, estimate
from tests.sft.examples import won

# What takes ten seconds to import is imported where it is used.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("trl") is None, reason="TRL is not installed"),
]

CODE = 'print("é", {"a": 1})\n'

#: What a model is to write, as Qwen3's template has it.
LEARNT = [
    "<think>\nso\n</think>\n\n"
    '<tool_call>\n{"name": "python", "arguments": {"code": "print(\\"é\\", {\\"a\\": 1})\\n"}}'
    "\n</tool_call><|im_end|>\n",
    "<think>\nand now?\n</think>\n\n"
    '<tool_call>\n{"name": "score", "arguments": {}}\n</tool_call><|im_end|>\n',
    "<think>\ndone\n</think>\n\n<answer>done</answer><|im_end|>\n",
]


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    """A token for each byte, and Qwen3's chat template."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast
    from trl.chat_template_utils import qwen3_chat_template

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    bytewise = Tokenizer(models.BPE({letter: n for n, letter in enumerate(letters)}, []))
    bytewise.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    bytewise.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(
        tokenizer_object=bytewise,
        additional_special_tokens=["<|im_start|>"],
        eos_token="<|im_end|>",
        pad_token="<|pad|>",
        chat_template=qwen3_chat_template,
    )


@pytest.mark.parametrize("ending", ["parquet", "jsonl"])
def test_a_trainer_learns_the_turns_alone(tmp_path: Path, tokenizer: Any, ending: str) -> None:
    from datasets import load_dataset
    from transformers import Qwen3Config, Qwen3ForCausalLM
    from trl import SFTConfig, SFTTrainer

    path = tmp_path / f"out.{ending}"
    own = {"tokens": 7, "split": "train", "source": "run:1"}
    write_rows(path, [{**example(won(CODE, attempt=number)), **own} for number in range(4)])
    kind = "json" if ending == "jsonl" else "parquet"
    data = load_dataset(
        kind, data_files=str(path), split="train", cache_dir=str(tmp_path / "cache")
    )
    config = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=8,
    )
    trainer = SFTTrainer(
        model=Qwen3ForCausalLM(config),
        processing_class=tokenizer,
        train_dataset=data,
        args=SFTConfig(
            output_dir=str(tmp_path / "out"),
            assistant_only_loss=True,
            max_length=None,
            max_steps=1,
            per_device_train_batch_size=2,
            use_cpu=True,
            bf16=False,
            gradient_checkpointing=False,
            report_to="none",
        ),
    )
    row = trainer.train_dataset[0]
    runs = itertools.groupby(
        zip(row["input_ids"], row["labels"], strict=True), lambda pair: pair[1] != -100
    )
    learnt = [
        tokenizer.decode([token for token, _ in pairs]) for is_label, pairs in runs if is_label
    ]
    assert learnt == LEARNT
    prompt = tokenizer.decode(row["input_ids"])
    assert '<tools>\n{"type": "function", "function": {"name": "python", ' in prompt
    assert "<tool_response>\nexit code 0\n</tool_response>" in prompt
    assert "null" not in prompt
    assert trainer.train().training_loss > 0


def test_a_tokenizer_counts_what_its_template_writes(tmp_path: Path, tokenizer: Any) -> None:
    tokenizer.save_pretrained(tmp_path)
    count = counted_by(str(tmp_path))
    short, long = example(won("x")), example(won("x" + "é" * 1000))
    assert count(long) - count(short) == 2000
    assert count(short) > estimate(short)


def test_a_tokenizer_without_a_template_is_refused(tmp_path: Path, tokenizer: Any) -> None:
    tokenizer.save_pretrained(tmp_path)
    (tmp_path / "chat_template.jinja").unlink()
    with pytest.raises(ValueError, match="no chat template"):
        counted_by(str(tmp_path))

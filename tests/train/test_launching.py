"""The shipped files for `accelerate launch` say what they are meant to say to accelerate."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sandmle.train.arguments import arithmetic
from sandmle.train.configuration import load_training
from tests.train.extra import needs_train

pytestmark = needs_train

TRAINING = Path(__file__).parent.parent.parent / "training"
FILES = sorted((TRAINING / "accelerate").glob("*.yaml"))


def launched(*options: str) -> tuple[Any, dict[str, str]]:
    """What `accelerate launch` makes of options: torchrun's, and the environment of processes."""
    from accelerate.commands.launch import _validate_launch_command, launch_command_parser
    from accelerate.utils.launch import prepare_multi_gpu_env

    arguments = launch_command_parser().parse_args([*options, "-m", "sandmle"])
    arguments, _, _ = _validate_launch_command(arguments)
    assert arguments.use_fsdp
    return arguments, prepare_multi_gpu_env(arguments)


def commands(path: Path, values: Mapping[str, str]) -> list[list[str]]:
    """The options of accelerate in the commands of a file's comments, with values filled in."""
    text = path.read_text().replace("\\\n#", "")
    for name, value in values.items():
        text = text.replace(name, value)
    lines = [line for line in text.splitlines() if "accelerate launch" in line]
    found = [shlex.split(line.partition("accelerate launch")[2].rstrip("'")) for line in lines[:2]]
    return [options[: options.index("-m")] for options in found]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_weights_are_spread_layer_by_layer_and_saved_whole(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from accelerate import FullyShardedDataParallelPlugin
    from torch.distributed.fsdp import StateDictType
    from transformers import AutoModelForCausalLM, Qwen3Config, Qwen3MoeConfig

    address = ("--machine_rank", "1", "--main_process_ip", "first", "--main_process_port", "29501")
    _, environment = launched("--config_file", str(path), *address)
    for name in environment.keys() - os.environ.keys():
        monkeypatch.setenv(name, environment[name])
    small = {"num_hidden_layers": 1, "hidden_size": 64, "intermediate_size": 16, "vocab_size": 32}
    for kind, layer in (
        (Qwen3Config, "Qwen3DecoderLayer"),
        (Qwen3MoeConfig, "Qwen3MoeDecoderLayer"),
    ):
        plugin = FullyShardedDataParallelPlugin()
        assert plugin.fsdp_version == 2
        assert plugin.reshard_after_forward is True
        assert plugin.cpu_ram_efficient_loading is True
        assert plugin.state_dict_type == StateDictType.FULL_STATE_DICT
        model = AutoModelForCausalLM.from_config(kind(**small))
        plugin.set_auto_wrap_policy(model)
        (wrapped,) = plugin.auto_wrap_policy.keywords["transformer_layer_cls"]
        assert wrapped.__name__ == layer
    assert environment["ACCELERATE_MIXED_PRECISION"] == "bf16"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_key_is_one_that_accelerate_knows(path: Path) -> None:
    """Its own loader refuses others at the top; below, each is an option of the launcher."""
    from accelerate.commands.config.config_args import load_config_from_file
    from accelerate.commands.launch import launch_command_parser

    found = load_config_from_file(str(path))
    known = vars(launch_command_parser().parse_args(["-m", "sandmle"]))
    assert found.fsdp_config
    assert set(found.fsdp_config) <= set(known)


def test_nodes_meet_at_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    path = TRAINING / "accelerate" / "several-nodes.yaml"
    monkeypatch.chdir(TRAINING.parent)
    values = {
        "NUMBER": "1",
        "$((8 * SLURM_NNODES))": "32",
        "$SLURM_NNODES": "4",
        "$SLURM_NODEID": "3",
        "$FIRST": "first",
        "_ip FIRST": "_ip first",
    }
    by_hand, by_slurm = commands(path, values)
    for options, number, nodes in ((by_hand, 1, "2"), (by_slurm, 3, "4")):
        arguments, _ = launched(*options)
        assert arguments.node_rank == number
        assert arguments.nnodes == nodes
        assert arguments.nproc_per_node == "8"
        assert arguments.rdzv_endpoint == "first:29500"
        assert arguments.rdzv_backend == "static"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_papers_batch_is_spread_evenly(path: Path) -> None:
    from accelerate.commands.config.config_args import load_config_from_file

    found = load_config_from_file(str(path))
    for training in sorted(TRAINING.glob("qwen3-*.yaml")):
        arithmetic(load_training(training), found.num_processes)

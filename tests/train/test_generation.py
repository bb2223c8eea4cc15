"""What is sampled, with which log-probabilities, and who waits for whom."""

from __future__ import annotations

import asyncio
import inspect
import math
import time
from collections import Counter
from collections.abc import Sequence

import pytest

from sandmle.train.generation import (
    AT_ONCE,
    Batcher,
    Request,
    Sampled,
    ServerGenerator,
    TransformersGenerator,
    VllmGenerator,
)
from tests.train.examples import model, tokenizer
from tests.train.extra import needs_train


def generator(temperature: float = 1.0) -> TransformersGenerator:
    return TransformersGenerator(
        model(), temperature, frozenset({tokenizer().eos_token_id}), tokenizer().pad_token_id
    )


REQUESTS = [
    Request(ids=tuple(range(3, 3 + length)), limit=limit, seed=seed)
    for length, limit, seed in ((4, 6, 1), (9, 3, 2), (2, 8, 3), (30, 5, 4))
]


@needs_train
@pytest.mark.parametrize("temperature", [1.0, 0.7])
def test_logprobs_are_those_of_the_model(temperature: float) -> None:
    """Computed again, in one pass over each whole conversation, they agree to 1e-4."""
    import torch

    for request, sampled in zip(REQUESTS, generator(temperature).sample(REQUESTS), strict=True):
        ids = torch.tensor([[*request.ids, *sampled.ids]])
        with torch.no_grad():
            scores = (model()(ids).logits[0] / temperature).log_softmax(-1)
        places = range(len(request.ids) - 1, ids.shape[1] - 1)
        again = [float(scores[place, ids[0, place + 1]]) for place in places]
        assert sampled.logprobs == pytest.approx(again, abs=1e-4)


@needs_train
def test_what_is_sampled_does_not_depend_on_the_batch() -> None:
    together = generator().sample(REQUESTS)
    alone = [generator().sample([request])[0] for request in REQUESTS]
    assert [sampled.ids for sampled in together] == [sampled.ids for sampled in alone]


@needs_train
def test_limits_and_ends_are_kept() -> None:
    end = tokenizer().eos_token_id
    for request, sampled in zip(REQUESTS, generator().sample(REQUESTS), strict=True):
        assert len(sampled.ids) == len(sampled.logprobs) <= request.limit
        assert end not in sampled.ids[:-1]
        assert len(sampled.ids) == request.limit or sampled.ids[-1] == end


@needs_train
def test_draws_follow_the_probabilities() -> None:
    import torch

    from sandmle.train.generation import _draw

    scores = torch.tensor([[0.6, 0.3, 0.1]]).log().expand(4000, 3)
    chances = [torch.Generator().manual_seed(seed) for seed in range(4000)]
    counts = Counter(_draw(scores, chances).tolist())
    assert [counts[token] / 4000 for token in range(3)] == pytest.approx([0.6, 0.3, 0.1], abs=0.03)


class Slow:
    """Takes its time, and keeps the sizes of its batches."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def sample(self, requests: Sequence[Request]) -> list[Sampled]:
        self.sizes.append(len(requests))
        time.sleep(0.1)
        return [Sampled((request.seed,), (-1.0,)) for request in requests]


def test_what_waits_is_answered_together() -> None:
    slow = Slow()

    async def ask() -> list[Sampled]:
        async with Batcher(slow) as batcher:
            return list(
                await asyncio.gather(*(batcher.sample(Request((), 1, n)) for n in range(20)))
            )

    assert [sampled.ids for sampled in asyncio.run(ask())] == [(n,) for n in range(20)]
    assert len(slow.sizes) <= 2


def test_others_work_while_the_model_does() -> None:
    async def ask() -> int:
        ticks = 0
        async with Batcher(Slow()) as batcher:
            reply = asyncio.ensure_future(batcher.sample(Request((), 1, 0)))
            while not reply.done():
                ticks += 1
                await asyncio.sleep(0.01)
        return ticks

    assert asyncio.run(ask()) > 3


def test_a_generator_that_fails_fails_for_all() -> None:
    class Broken:
        def sample(self, requests: Sequence[Request]) -> list[Sampled]:
            raise MemoryError("no memory")

    async def ask() -> Batcher:
        async with Batcher(Broken()) as batcher:
            for _ in range(2):
                with pytest.raises(RuntimeError, match="generator failed"):
                    await batcher.sample(Request((), 1, 0))
            return batcher

    assert isinstance(asyncio.run(ask()).failure, MemoryError)


class Engine:
    """Answers as TRL's `VLLMGeneration` does: three tokens to every prompt, the last one unsure."""

    max_completion_length = 0

    def generate(self, *, prompts: list[list[int]], images: None, num_generations: int) -> object:
        assert num_generations == 1
        self.asked = prompts
        logprobs = [[[-0.5], [-0.25], [None]] for _ in prompts]
        return prompts, [[7, 8, 9] for _ in prompts], logprobs, None


def test_what_vllm_says_is_cut_at_each_limit() -> None:
    engine = Engine()
    requests = [Request((1, 2), 5, 0), Request((3,), 1, 0)]
    long, short = VllmGenerator(engine).sample(requests)
    assert engine.asked == [[1, 2], [3]]
    assert engine.max_completion_length == 5
    assert long.ids == (7, 8, 9)
    assert long.logprobs[:2] == (-0.5, -0.25)
    assert math.isnan(long.logprobs[2])
    assert short == Sampled((7,), (-0.5,))


class Client:
    """Answers as TRL's `VLLMClient` does, a request after 0.1 s for every token that it may add."""

    def __init__(self) -> None:
        self.asked: list[dict[str, object]] = []

    def generate(self, *, max_tokens: int, **options: object) -> dict[str, object]:
        self.asked.append({"max_tokens": max_tokens, **options})
        time.sleep(0.1 * max_tokens)
        return {
            "prompt_ids": options["prompts"],
            "completion_ids": [[7, 8]],
            "logprobs": [[[-0.5], [-0.25]]],
        }


def test_a_server_is_asked_for_each_with_its_own_limit_and_seed() -> None:
    """A limit beyond the context is refused, so a long conversation never gets another's."""
    client = Client()
    sampled = ServerGenerator(client, 0.8).sample([Request((1,), 2, 5), Request((2, 3), 1, 6)])
    assert sampled == [Sampled((7, 8), (-0.5, -0.25)), Sampled((7,), (-0.5,))]
    same = {"n": 1, "temperature": 0.8, "top_p": 1.0, "top_k": 0, "logprobs": 0}
    assert client.asked == [
        {**same, "prompts": [[1]], "max_tokens": 2, "generation_kwargs": {"seed": 5}},
        {**same, "prompts": [[2, 3]], "max_tokens": 1, "generation_kwargs": {"seed": 6}},
    ]


def test_a_server_answers_one_conversation_while_it_works_on_another() -> None:
    async def ask() -> tuple[bool, float]:
        async with Batcher(ServerGenerator(Client(), 1.0), at_once=AT_ONCE) as batcher:
            long = asyncio.ensure_future(batcher.sample(Request((1,), 5, 0)))
            await asyncio.sleep(0.05)
            await batcher.sample(Request((2,), 1, 0))
            overtook = not long.done()
            await long
            return overtook, batcher.seconds

    overtook, seconds = asyncio.run(ask())
    assert overtook
    assert seconds == pytest.approx(0.5, abs=0.2)


@needs_train
def test_trl_takes_what_its_client_and_engine_are_called_with() -> None:
    from trl.generation.vllm_client import VLLMClient
    from trl.generation.vllm_generation import VLLMGeneration

    client = Client()
    ServerGenerator(client, 1.0).sample([Request((1,), 1, 0)])
    inspect.signature(VLLMClient.generate).bind(None, **client.asked[0])
    inspect.signature(VLLMGeneration.generate).bind(
        None, prompts=[[1]], images=None, num_generations=1
    )
    inspect.signature(VLLMGeneration.sync_weights).bind(None)
    assert "max_completion_length" in inspect.getsource(VLLMGeneration.generate)


@needs_train
def test_log_probabilities_of_a_real_server_are_read() -> None:
    """What vLLM 0.31.0 said of two sampled tokens, read by TRL, has the nesting that is cut."""
    from trl.generation.vllm_client import parse_logprobs

    first, second = -5.547165870666504, -5.8285136222839355
    said = {
        "text_offset": [0, 12],
        "token_logprobs": [first, second],
        "tokens": ["token_id:200", "token_id:72"],
        "top_logprobs": [{"token_id:200": first}, {"token_id:72": second}],
    }
    values, ids = parse_logprobs([said])
    assert values == [[[first], [second]]]
    assert ids == [[[200], [72]]]

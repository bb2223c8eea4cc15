"""Samples what a policy says next, for many conversations at once.

A generator is blocking and has no state but its model's; `Batcher` puts it behind asyncio: whatever
waits when it becomes free is answered in one batch, while sandboxes work on. A server batches by
itself, and is asked for each conversation as soon as that has something to ask.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self

if TYPE_CHECKING:
    import torch

#: Seconds in which conversations that are about to ask join a batch.
GATHERING = 0.005

#: Requests to a server at a time: the connections that TRL's client keeps open.
AT_ONCE = 64


@dataclass(frozen=True)
class Request:
    """A conversation as token ids, at most how many to add, and the seed of their chance.

    The seed makes what is sampled independent of what else is in the batch.
    """

    ids: tuple[int, ...]
    limit: int
    seed: int


@dataclass(frozen=True)
class Sampled:
    """Token ids, the end token included where it was reached, and each one's log-probability.

    Log-probabilities are those of the distribution that was sampled from, under the temperature.
    """

    ids: tuple[int, ...]
    logprobs: tuple[float, ...]


class Generator(Protocol):
    """Samples the continuations of a batch, in its order."""

    def sample(self, requests: Sequence[Request]) -> list[Sampled]: ...


@dataclass(frozen=True)
class TransformersGenerator:
    """Samples by a model of transformers in this process, token by token for the whole batch."""

    model: Any
    temperature: float
    end: frozenset[int]
    pad: int

    def sample(self, requests: Sequence[Request]) -> list[Sampled]:
        """See `Generator`. The model is left in the mode (training or not) in which it was."""
        import torch

        was_training = self.model.training
        self.model.eval()
        try:
            with torch.no_grad():
                return self._sample(requests)
        finally:
            self.model.train(was_training)

    def _sample(self, requests: Sequence[Request]) -> list[Sampled]:
        import torch

        device = self.model.device
        longest = max(len(request.ids) for request in requests)
        fill = [longest - len(request.ids) for request in requests]
        ids = torch.tensor(
            [[self.pad] * n + list(request.ids) for n, request in zip(fill, requests, strict=True)],
            device=device,
        )
        mask = torch.tensor([[0] * n + [1] * (longest - n) for n in fill], device=device)
        chances = [torch.Generator(device).manual_seed(request.seed) for request in requests]
        said: list[list[int]] = [[] for _ in requests]
        logprobs: list[list[float]] = [[] for _ in requests]
        going = set(range(len(requests)))
        cache: Any = None
        while True:
            places = (mask.cumsum(-1) - 1).clamp(min=0)[:, -ids.shape[1] :]
            output = self.model(
                input_ids=ids,
                attention_mask=mask,
                position_ids=places,
                past_key_values=cache,
                use_cache=True,
                logits_to_keep=1,
            )
            cache = output.past_key_values
            scores = (output.logits[:, -1].float() / self.temperature).log_softmax(-1)
            drawn = _draw(scores, chances)
            # Both in one go: a GPU is waited for once a token, not twice a conversation.
            tokens, values = drawn.tolist(), scores.gather(1, drawn[:, None])[:, 0].tolist()
            for row in sorted(going):
                token = tokens[row]
                said[row].append(token)
                logprobs[row].append(values[row])
                if token in self.end or len(said[row]) >= requests[row].limit:
                    going.discard(row)
            if not going:
                break
            ids = drawn[:, None]
            mask = torch.cat([mask, torch.ones_like(ids)], dim=1)
        pairs = zip(said, logprobs, strict=True)
        return [Sampled(tuple(ids), tuple(chosen)) for ids, chosen in pairs]


def _draw(scores: torch.Tensor, chances: Sequence[torch.Generator]) -> torch.Tensor:
    """A token for each row of log-probabilities (rows, tokens), by each row's own chance.

    The largest p / e, e exponential, is a draw by p: the Gumbel-max trick in another form.
    """
    import torch

    noise = torch.stack(
        [
            torch.empty_like(row).exponential_(generator=chance)
            for row, chance in zip(scores, chances, strict=True)
        ]
    )
    return (scores - noise.log()).argmax(-1)


@dataclass(frozen=True)
class VllmGenerator:
    """Samples by the engine of vLLM that TRL keeps in step with the model, in this process.

    `engine` is the trainer's `vllm_generation` in mode colocate. Its chance is its own: seeds of
    requests don't reach it.
    """

    engine: Any

    def sample(self, requests: Sequence[Request]) -> list[Sampled]:
        """See `Generator`. All are sampled up to the largest limit, and cut at their own."""
        self.engine.max_completion_length = max(request.limit for request in requests)
        _, ids, logprobs, _ = self.engine.generate(
            prompts=[list(request.ids) for request in requests], images=None, num_generations=1
        )
        return _cut(requests, ids, logprobs)


@dataclass(frozen=True)
class ServerGenerator:
    """Samples by a server that `vllm serve` started and TRL keeps in step with the model.

    `client` is a client of this process's own, so that each one asks when it has something to ask.
    """

    client: Any
    temperature: float

    def sample(self, requests: Sequence[Request]) -> list[Sampled]:
        """See `Generator`. A server refuses a limit beyond its context, so each keeps its own."""
        return [self._sample(request) for request in requests]

    def _sample(self, request: Request) -> Sampled:
        found = self.client.generate(
            prompts=[list(request.ids)],
            n=1,
            temperature=self.temperature,
            top_p=1.0,
            top_k=0,
            max_tokens=request.limit,
            logprobs=0,
            generation_kwargs={"seed": request.seed},
        )
        (sampled,) = _cut([request], found["completion_ids"], found["logprobs"])
        return sampled


def _cut(
    requests: Sequence[Request],
    ids: Sequence[Sequence[int]],
    logprobs: Sequence[Sequence[Sequence[float | None]]],
) -> list[Sampled]:
    """What vLLM sampled: the first log-probability is the sampled token's, None where unknown."""
    return [
        Sampled(
            tuple(tokens[: request.limit]),
            tuple(
                float("nan") if found[0] is None else found[0] for found in values[: request.limit]
            ),
        )
        for request, tokens, values in zip(requests, ids, logprobs, strict=True)
    ]


class Batcher:
    """Answers requests: all that wait when the generator becomes free.

    Where the generator takes several requests `at_once`, each is answered as it comes.

    `seconds` is how long the generator has worked on anything, `failure` what it raised: then
    nothing more is answered, as the fault is ours and no policy's.

        async with Batcher(generator) as batcher:
            sampled = await batcher.sample(request)
    """

    def __init__(self, generator: Generator, *, at_once: int = 1) -> None:
        self.seconds = 0.0
        self.failure: BaseException | None = None
        self._generator = generator
        self._waiting: asyncio.Queue[tuple[Request, asyncio.Future[Sampled]]] = asyncio.Queue()
        self._at_once = at_once
        self._threads = ThreadPoolExecutor(self._at_once)
        self._busy, self._since = 0, 0.0

    async def sample(self, request: Request) -> Sampled:
        """What the generator says to one conversation. Raises RuntimeError where it has failed."""
        if self.failure is not None:
            raise RuntimeError("the generator failed")
        future: asyncio.Future[Sampled] = asyncio.get_running_loop().create_future()
        self._waiting.put_nowait((request, future))
        return await future

    async def _work(self) -> None:
        while True:
            batch = [await self._waiting.get()]
            size = 0
            while self._at_once == 1 and size < len(batch):
                size = len(batch)
                await asyncio.sleep(GATHERING)
                while not self._waiting.empty():
                    batch.append(self._waiting.get_nowait())
            batch = [(request, future) for request, future in batch if not future.cancelled()]
            if batch:
                await self._answer(batch)

    async def _answer(self, batch: Sequence[tuple[Request, asyncio.Future[Sampled]]]) -> None:
        requests = [request for request, _ in batch]
        if not self._busy:
            self._since = time.monotonic()
        self._busy += 1
        loop = asyncio.get_running_loop()
        work = loop.run_in_executor(self._threads, self._generator.sample, requests)
        await asyncio.wait([work])
        self._busy -= 1
        if not self._busy:
            self.seconds += time.monotonic() - self._since
        failure = work.exception()
        self.failure = self.failure or failure
        for place, (_, future) in enumerate(batch):
            if future.cancelled():
                continue
            if failure is not None:
                future.set_exception(RuntimeError("the generator failed"))
            else:
                future.set_result(work.result()[place])

    async def __aenter__(self) -> Self:
        self._workers = [asyncio.create_task(self._work()) for _ in range(self._at_once)]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)

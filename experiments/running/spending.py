"""The running account of a run, and the budget that it keeps."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from math import ceil

from ansatz.agents import ModelClient, is_simulated, longest_reply
from ansatz.agents.models.retry import RESERVATION
from ansatz.agents.transcript import Usage
from ansatz.errors import BudgetSpent, StudyError
from ansatz.experiments.design.design import Design
from ansatz.experiments.ledger import Ledger, Paid, Payer
from ansatz.experiments.ledger.prices import Price, Spent, in_words

_OVERHEAD = 1000  # tokens that a provider adds to a prompt, such as how to call tools


class Spending:
    """The running account of a run, and its budget in dollars, if it has one.

    With a budget a request is sent only if the most that it can cost fits beside all that was spent or may
    yet be billed. One that does not fit waits for those in flight, which mostly cost less than they might.
    """

    def __init__(self, design: Design, ledger: Ledger, budget: float | None = None) -> None:
        self.budget = budget
        self._design = design
        self._ledger = ledger
        self.payments = ledger.payments
        self._clients = _clients(design)
        self._prices = design.prices
        self._paid = self.payments.totals()
        self._dollars = 0.0
        for payer in self._paid if budget is not None else ():
            if (dollars := self._bill(payer).dollars) is None:
                known = "is not known; give its prices, or start anew with the budget"
                raise StudyError(f"budget: what {payer.model} has cost so far {known}")
            self._dollars += dollars
        self._reserved: list[float] = []
        self._waiting: list[asyncio.Future[None]] = []

    def __str__(self) -> str:
        return in_words([self._bill(payer) for payer in self._paid], self.budget)

    @asynccontextmanager
    async def reserving(self, payer: Payer, size: int) -> AsyncIterator[Promise]:
        """Make a request of `size` bytes within; gives the promise that its reply replaces.

        The promise covers one try. That of a try which timed out stays, and the next try needs another one.
        Raises BudgetSpent, before anything is sent, if the budget does not allow it.
        """
        promise = Promise(self, payer, None if self.budget is None else self._most(payer, size))
        await promise.make()
        token = RESERVATION.set(promise)
        try:
            yield promise
        except Exception:
            promise.withdraw()
            raise
        except BaseException:  # what is cancelled may be billed: its promise stays
            await promise.keep(renew=False)
            raise
        finally:
            RESERVATION.reset(token)
            promise.release()

    async def make_room(self, most: float) -> None:
        """Reserve `most` dollars, after requests in flight have ended if need be. Raises BudgetSpent."""
        assert self.budget is not None
        while self._dollars + sum(self._reserved) + most > self.budget:
            if not self._reserved:
                raise BudgetSpent("the budget is spent", most)
            self._waiting.append(asyncio.get_running_loop().create_future())
            await self._waiting[-1]
        self._reserved.append(most)

    def give_back(self, most: float | None) -> None:
        """Release what was reserved, if anything was, and have those who wait look again."""
        if most is not None:
            self._reserved.remove(most)
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)
        self._waiting.clear()

    def count_promise(self, payer: Payer, most: float) -> None:
        """Add to the account a request whose tokens no one reports, as the most that it can cost."""
        paid = self._paid.get(payer, Paid())
        self._dollars += most
        paid = replace(paid, requests=paid.requests + 1, promised=paid.promised + most)
        self._paid[payer] = replace(paid, unknown=paid.unknown + (not most))

    def count(self, payer: Payer, used: Usage | None, size: int) -> None:
        """Add a reply to the account, once it is in the ledger."""
        if used is None:  # the server counts no tokens: the most that it can cost, if that is known
            self.count_promise(payer, 0.0 if self.budget is None else self._most(payer, size))
            return
        paid = self._paid.get(payer, Paid())
        paid = replace(paid, requests=paid.requests + 1)
        price = self._price(payer)
        self._dollars += (price.dollars(used) if price else None) or 0.0
        total = Usage(**{name: _sum(getattr(paid.usage, name), n) for name, n in used.model_dump().items()})
        self._paid[payer] = replace(paid, usage=total, longest=max(paid.longest, used.input))

    def _most(self, payer: Payer, size: int) -> float:
        """A token has at least one byte, so that the bytes of a request bound its tokens."""
        price = self._price(payer)
        answer = longest_reply(
            self._design.clients.get((payer.model, payer.arm or ""), self._clients[payer.asked])
        )
        most = price.most(size + _OVERHEAD, answer) if price and answer else None
        if most is None:
            raise StudyError(
                f"budget: the price of {payer.model} is not known for a prompt of {size:,} bytes"
            )
        return most

    def _price(self, payer: Payer) -> Price | None:
        price = self._prices.get(payer.asked)
        return price.for_batches() if price and payer.batched else price

    def _bill(self, payer: Payer) -> Spent:
        return Spent.of(payer, self._paid[payer], self._prices.get(payer.asked))

    def farewell(self, most: float) -> str:
        """What is spent, what is left to do, and what that would take by the mean of what is done."""
        done = self._ledger.finished()
        made = sum(attempt.key in done for attempt in self._design.attempts)
        left = len(self._design.attempts) - made
        assert self.budget is not None
        said = (
            f"stopped at ${self._dollars:,.4g} of the budget of ${self.budget:,.4g}, which the next request "
        )
        said += f"could pass by itself costing up to ${most:,.4g}; what is finished is kept. "
        attempts = f"{made:,} of {made + left:,} attempts are scored"
        if not made:
            return f"{said}{attempts}; give more with --max-cost"
        rest = self._dollars / made * max(left, 1)
        enough = ceil((self._dollars + rest + most) * 100) / 100
        return f"{said}{attempts}; the rest would take about ${rest:,.4g}: go on with --max-cost {enough:.2f}"


class Promise:
    """What a try may cost at most: a row of the payments, and a part of the budget, if there is one."""

    def __init__(self, spending: Spending, payer: Payer, most: float | None) -> None:
        self._spending = spending
        self._payer = payer
        self._most = most
        self._is_made = False
        self.row: int | None = None

    async def make(self) -> None:
        """Reserve for a try. Raises BudgetSpent."""
        if self._most is not None:
            await self._spending.make_room(self._most)
            self._is_made = True
            self.row = self._spending.payments.promise(self._payer, self._most)

    async def keep(self, *, renew: bool) -> None:
        """Let the promise of a try that may be billed stay; with `renew`, make another.

        Raises BudgetSpent if another does not fit.
        """
        if self._most is None or not self._is_made:
            return
        self._spending.count_promise(self._payer, self._most)
        self.row = None
        self.release()
        if renew:
            await self.make()

    def withdraw(self) -> None:
        """Nothing is billed for the try."""
        if self.row is not None:
            self._spending.payments.withdraw(self.row)

    def release(self) -> None:
        """Give back the part of the budget."""
        self._spending.give_back(self._most if self._is_made else None)
        self._is_made = False


def check_budget(design: Design, budget: float | None) -> None:
    """Raises StudyError where a budget cannot be kept, before anything is paid for."""
    if budget is None:
        return
    for (title, judges), client in _clients(design).items():
        if is_simulated(client):
            continue
        kind = "judge" if judges else "model"
        if design.prices[title, judges] is None:
            raise StudyError(
                f"budget: the price of the {kind} {title} is unknown; give its input_price and output_price",
                ("budget",),
            )
        if longest_reply(client) is None:
            raise StudyError(
                f"budget: the {kind} {title} has no max_tokens, which bounds its cost; set it",
                ("budget",),
            )


def _clients(design: Design) -> Mapping[tuple[str, bool], ModelClient]:
    """By title, and whether it judges."""
    models = {(title, False): each.client for title, each in design.models.items()}
    models = {(title, False): each for title, each in design.consulted.items()} | models
    return models | {(title, True): client for title, client in design.judges.items()}


def _sum(known: int | None, more: int | None) -> int | None:
    return known if more is None else (known or 0) + more

"""The account of a run and its budget."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from math import ceil

from ansatz.agents import ModelClient, find_reply_limit, is_simulated
from ansatz.agents.transcript import Usage
from ansatz.errors import BudgetSpent, StudyError
from ansatz.experiments.design.design import Design
from ansatz.experiments.ledger import Ledger, Payer, PaymentTotal
from ansatz.experiments.ledger.prices import BillItem, Price, format_bill

_OVERHEAD = 1000  # tokens that a provider adds to a prompt, such as how to call tools


class Spending:
    """The account of a run, and its budget in dollars, if it has one.

    With a budget, a request is sent only if its highest possible cost fits into what is left. What is left
    is the budget less all costs so far and all reservations. A request that does not fit waits until requests
    in flight have ended, because most of them cost less than was reserved.
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
                known = "is not known; give its prices, or start again with the budget"
                raise StudyError(f"budget: what {payer.model} has cost so far {known}")
            self._dollars += dollars
        self._reserved: list[float] = []
        self._waiting: list[asyncio.Future[None]] = []

    def __str__(self) -> str:
        return format_bill([self._bill(payer) for payer in self._paid], self.budget)

    @asynccontextmanager
    async def reserving(self, payer: Payer, size: int) -> AsyncIterator[Promise]:
        """Reserve the highest possible cost of a request of `size` bytes, and yield the reservation.

        The reservation covers one try. After a timeout it is booked as a cost, and the next try needs another
        one. Raises BudgetSpent, before the request is sent, if the budget does not allow it.
        """
        promise = Promise(self, payer, None if self.budget is None else self._most(payer, size))
        await promise.make()
        try:
            yield promise
        except Exception:
            promise.withdraw()
            raise
        except BaseException:  # a cancelled request may be billed
            await promise.keep(renew=False)
            raise
        finally:
            promise.release()

    async def make_room(self, most: float) -> None:
        """Reserve `most` dollars; if necessary, wait for requests in flight. Raises BudgetSpent."""
        assert self.budget is not None
        while self._dollars + sum(self._reserved) + most > self.budget:
            if not self._reserved:
                raise BudgetSpent("the budget is spent", most)
            self._waiting.append(asyncio.get_running_loop().create_future())
            await self._waiting[-1]
        self._reserved.append(most)

    def give_back(self, most: float | None) -> None:
        """Release a reservation of `most` dollars, if there is one, and wake waiting requests."""
        if most is not None:
            self._reserved.remove(most)
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)
        self._waiting.clear()

    def count_promise(self, payer: Payer, most: float) -> None:
        """Book a request without reported tokens at its highest possible cost."""
        paid = self._paid.get(payer, PaymentTotal())
        self._dollars += most
        paid = replace(paid, requests=paid.requests + 1, promised=paid.promised + most)
        self._paid[payer] = replace(paid, unknown=paid.unknown + (not most))

    def count(self, payer: Payer, used: Usage | None, size: int) -> None:
        """Book a reply that is in the ledger."""
        if used is None:  # the server reports no tokens
            self.count_promise(payer, 0.0 if self.budget is None else self._most(payer, size))
            return
        paid = self._paid.get(payer, PaymentTotal())
        paid = replace(paid, requests=paid.requests + 1)
        price = self._price(payer)
        self._dollars += (price.dollars(used) if price else None) or 0.0
        total = Usage(**{name: _sum(getattr(paid.usage, name), n) for name, n in used.model_dump().items()})
        self._paid[payer] = replace(paid, usage=total, longest=max(paid.longest, used.input))

    def _most(self, payer: Payer, size: int) -> float:
        """Return the highest possible cost. A token has at least one byte, so bytes bound tokens."""
        price = self._price(payer)
        answer = find_reply_limit(
            self._design.clients.get((payer.model, payer.arm or ""), self._clients[payer.price_key])
        )
        most = price.highest_cost(size + _OVERHEAD, answer) if price and answer else None
        if most is None:
            raise StudyError(
                f"budget: the price of {payer.model} is not known for a prompt of {size:,} bytes"
            )
        return most

    def _price(self, payer: Payer) -> Price | None:
        price = self._prices.get(payer.price_key)
        return price.for_batches() if price and payer.batched else price

    def _bill(self, payer: Payer) -> BillItem:
        return BillItem.of(payer, self._paid[payer], self._prices.get(payer.price_key))

    def budget_exhausted_message(self, most: float) -> str:
        """Report the cost so far, the attempts left, and their cost at the present mean."""
        done = self._ledger.finished_keys()
        scored = sum(attempt.key in done for attempt in self._design.attempts)
        left = len(self._design.attempts) - scored
        assert self.budget is not None
        message = (
            f"stopped at ${self._dollars:,.4g} of the budget of ${self.budget:,.4g}: the next request could "
            f"cost up to ${most:,.4g}; finished attempts are stored. "
            f"{scored:,} of {scored + left:,} attempts are scored"
        )
        if not scored:
            return f"{message}; give more with --max-cost, or set a lower max_tokens"
        rest = self._dollars / scored * max(left, 1)
        enough = ceil((self._dollars + rest + most) * 100) / 100
        return f"{message}; the rest would cost about ${rest:,.4g}: go on with --max-cost {enough:.2f}"


class Promise:
    """The highest possible cost of one try: a row of the payments and a reservation of the budget."""

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
        """Book the reservation of a try that may be billed; with `renew`, reserve for another try.

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
        """Delete the payment of a try that is not billed."""
        if self.row is not None:
            self._spending.payments.withdraw(self.row)

    def release(self) -> None:
        """Release the reserved part of the budget."""
        self._spending.give_back(self._most if self._is_made else None)
        self._is_made = False


def check_budget(design: Design, budget: float | None) -> None:
    """Check that each model has the prices and limits that a budget needs. Raises StudyError."""
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
        if find_reply_limit(client) is None:
            raise StudyError(
                f"budget: the {kind} {title} has no max_tokens, which bounds its cost; set it",
                ("budget",),
            )


def _clients(design: Design) -> Mapping[tuple[str, bool], ModelClient]:
    """Return the clients by title and whether they judge."""
    models = {(title, False): each.client for title, each in design.models.items()}
    models = {(title, False): each for title, each in design.consulted_clients.items()} | models
    return models | {(title, True): client for title, client in design.judges.items()}


def _sum(known: int | None, more: int | None) -> int | None:
    return known if more is None else (known or 0) + more

"""The account of a run and its budget."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
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
_ENOUGH = 8  # replies of a model and arm after which the longest of them bounds a reservation
_SAFETY = 2  # times the tokens of that reply


class Spending:
    """The account of a run, and its budget in dollars, if it has one.

    With a budget, a request is sent only if its reservation fits into what is left. What is left is the
    budget less all costs so far and all reservations. A request that does not fit waits until requests in
    flight have ended, because most of them cost less than was reserved.

    A reservation is the highest possible cost of the request. After 8 replies to the same model and arm, it
    is the cost with twice the tokens of the longest of them, if that is less. The budget can then be passed,
    but only by the requests in flight at that moment. Batches, and servers that do not report tokens, always
    reserve the highest possible cost.
    """

    def __init__(
        self, design: Design, ledger: Ledger, budget: float | None = None, spent: float = 0.0
    ) -> None:
        """Open the account of a ledger. `spent` are dollars of the budget that the ledger does not have."""
        self.budget = budget
        self._design = design
        self._ledger = ledger
        self.payments = ledger.payments
        self._clients = _clients(design)
        self._prices = design.prices
        self._paid = self.payments.totals()
        self._dollars = spent
        for payer in self._paid if budget is not None else ():
            if (dollars := self._bill(payer).dollars) is None:
                known = "is not known; give its prices, or start again with the budget"
                raise StudyError(f"budget: what {payer.model} has cost so far {known}")
            self._dollars += dollars
        self._replies: Counter[Payer] = Counter()
        self._longest: Counter[Payer] = Counter()  # tokens of a reply
        self._reserved: list[float] = []
        self._waiting: list[asyncio.Future[None]] = []

    def __str__(self) -> str:
        return format_bill([self._bill(payer) for payer in self._paid], self.budget)

    @asynccontextmanager
    async def reserving(self, payer: Payer, size: int) -> AsyncIterator[Promise]:
        """Reserve a part of the budget for a request of `size` bytes, and yield the reservation.

        The reservation covers one try. A try that timed out is booked at its highest possible cost, and the
        next one needs another reservation. Raises BudgetSpent, before the request is sent, if the budget
        does not allow it.
        """
        promise = Promise(self, payer, size)
        await promise.make()
        try:
            yield promise
        except Exception:
            promise.withdraw()
            raise
        except BaseException:  # a cancelled request may be billed
            promise.cancel()
            raise
        finally:
            promise.release()

    async def make_room(self, payer: Payer, size: int) -> float | None:
        """Reserve dollars for a request, and return how many; None without a budget.

        If necessary, wait for requests in flight. Raises BudgetSpent.
        """
        if self.budget is None:
            return None
        while self._dollars + sum(self._reserved) + (dollars := self._estimate(payer, size)) > self.budget:
            if not self._reserved:
                raise BudgetSpent("the budget is spent", self.highest_cost(payer, size))
            self._waiting.append(asyncio.get_running_loop().create_future())
            await self._waiting[-1]
        self._reserved.append(dollars)
        return dollars

    def give_back(self, dollars: float | None) -> None:
        """Release a reservation, if there is one, and wake waiting requests."""
        if dollars is not None:
            self._reserved.remove(dollars)
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)
        self._waiting.clear()

    def count_promise(self, payer: Payer, dollars: float) -> None:
        """Book a request without reported tokens."""
        paid = self._paid.get(payer, PaymentTotal())
        self._dollars += dollars
        paid = replace(paid, requests=paid.requests + 1, promised=paid.promised + dollars)
        self._paid[payer] = replace(paid, unknown=paid.unknown + (not dollars))

    def count(self, payer: Payer, used: Usage | None, size: int) -> None:
        """Book a reply that is in the ledger."""
        if used is None:  # the server reports no tokens
            self.count_promise(payer, 0.0 if self.budget is None else self.highest_cost(payer, size))
            return
        self._replies[payer] += 1
        self._longest[payer] = max(self._longest[payer], used.output)
        paid = self._paid.get(payer, PaymentTotal())
        paid = replace(paid, requests=paid.requests + 1)
        price = self._price(payer)
        self._dollars += (price.dollars(used) if price else None) or 0.0
        total = Usage(**{name: _sum(getattr(paid.usage, name), n) for name, n in used.model_dump().items()})
        self._paid[payer] = replace(paid, usage=total, longest=max(paid.longest, used.input))

    def expect_longest_reply(self, payer: Payer) -> None:
        """Reserve the highest possible cost from now on, because the length of a reply is not known."""
        self._longest[payer] = sys.maxsize

    def _estimate(self, payer: Payer, size: int) -> float:
        """Return the dollars to reserve."""
        if payer.batched or self._replies[payer] < _ENOUGH:
            return self.highest_cost(payer, size)
        return self.highest_cost(payer, size, _SAFETY * self._longest[payer])

    def highest_cost(self, payer: Payer, size: int, longest: int = sys.maxsize) -> float:
        """Return the highest cost of a request whose reply has at most `longest` tokens.

        A token has at least one byte, so the `size` of the request in bytes bounds its tokens.
        """
        price = self._price(payer)
        limit = find_reply_limit(
            self._design.clients.get((payer.model, payer.arm or ""), self._clients[payer.price_key])
        )
        most = price.highest_cost(size + _OVERHEAD, min(limit, longest)) if price and limit else None
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
    """A reservation of the budget for one try, and its row of the payments."""

    def __init__(self, spending: Spending, payer: Payer, size: int) -> None:
        self._spending = spending
        self._payer = payer
        self._size = size
        self._dollars: float | None = None
        self.row: int | None = None

    async def make(self) -> None:
        """Reserve for a try. Raises BudgetSpent."""
        self._dollars = await self._spending.make_room(self._payer, self._size)
        if self._dollars is not None:
            self.row = self._spending.payments.promise(self._payer, self._dollars)

    async def keep(self, *, renew: bool) -> None:
        """Book a try that timed out and may be billed; with `renew`, reserve for another try.

        Raises BudgetSpent if another does not fit.
        """
        if self._dollars is None:
            return
        self.raise_to_highest_cost()
        self._book(self._spending.highest_cost(self._payer, self._size))
        if renew:
            await self.make()

    def cancel(self) -> None:
        """Book a cancelled try, which may be billed, at its reservation."""
        if self._dollars is not None:
            self._book(self._dollars)

    def _book(self, dollars: float) -> None:
        self._spending.count_promise(self._payer, dollars)
        self.row = None
        self.release()

    def raise_to_highest_cost(self) -> None:
        """Make the payment the highest possible cost, because the tokens of this try are not known."""
        self._spending.expect_longest_reply(self._payer)
        if self._dollars is not None:
            self.withdraw()
            most = self._spending.highest_cost(self._payer, self._size)
            self.row = self._spending.payments.promise(self._payer, most)

    def withdraw(self) -> None:
        """Delete the payment of a try that is not billed."""
        if self.row is not None:
            self._spending.payments.withdraw(self.row)

    def release(self) -> None:
        """Release the reserved part of the budget."""
        self._spending.give_back(self._dollars)
        self._dollars = None


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

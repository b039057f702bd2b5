# weft._plan_cache: the plans that the functions of weft.fft have made, the most recently used of them.
# Keeps: threads may ask at the same time; a plan that somebody uses lives until that is done.
"""Plans that are made on first use and kept."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

from ._plan import Plan


class PlanCache:
    """The `most` plans that were used last."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._plans: OrderedDict[Hashable, Plan] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Plan]) -> Plan:
        """The plan of `key`, from `make` if there is none yet."""
        with self._lock:
            plan = self._plans.get(key)
            if plan is not None:
                self._plans.move_to_end(key)
                return plan
        plan = make()  # without the lock: other threads need not wait
        with self._lock:
            self._plans[key] = plan
            while len(self._plans) > self._most:
                self._plans.popitem(last=False)
        return plan

    def clear(self) -> None:
        """Forget all plans; those of communicators on all ranks, as their end is collective."""
        with self._lock:
            self._plans.clear()

    def __len__(self) -> int:
        return len(self._plans)

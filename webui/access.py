"""Who may change what: the host's own browser, and others that have given the PIN shown on the host."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from flask import Request

COOKIE = "lawn-control"
PIN_DIGITS = 6
FREE_GUESSES = 3
"""So many wrong PINs from one address cost no wait."""
ALL_FREE_GUESSES = 20
"""The same for all addresses together; more is slowed down, so that changing the address gains little."""
ALL_EVERY_S = 5.0
"""Then one wrong guess is taken in that time, from whichever address: half of a million PINs take a month."""
NEWCOMERS = 100
"""So many addresses that have guessed nothing yet are heard at once all the same: a stranger locks nobody out."""
FIRST_WAIT_S, LONGEST_WAIT_S = 2.0, 600.0
"""An address's own wait after a wrong guess doubles from one to the other: 6 digits then take years."""
MOST_ADDRESSES = 1000
MOST_KEYS = 64
"""So many browsers may control at once; the one that joined first drops out after that."""


class WrongPin(ValueError):
    """Not the PIN."""


class TooManyGuesses(ValueError):
    """Wait before the next guess. wait_s: how long."""

    def __init__(self, wait_s: float) -> None:
        self.wait_s = max(1, round(wait_s))
        super().__init__(f"Too many wrong PINs; try again in {self.wait_s} seconds.")


@dataclass
class _Guesses:
    """Wrong guesses of one address."""

    wrong: int = 0
    until: float = 0.0

    def failed(self, now: float) -> None:
        self.wrong += 1
        over = self.wrong - FREE_GUESSES
        if over >= 0:
            self.until = now + min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** min(over, 20))


@dataclass
class _Everybodys:
    """How many wrong guesses may still be made at once by all together; the number grows with time."""

    left: float = ALL_FREE_GUESSES
    at: float = 0.0

    def wait_s(self, now: float, newcomer: bool) -> float:
        self.left = min(ALL_FREE_GUESSES, self.left + (now - self.at) / ALL_EVERY_S)
        self.at = now
        least = -NEWCOMERS if newcomer else 0.0
        return max(0.0, least + 1 - self.left) * ALL_EVERY_S


@dataclass
class Access:
    """Keeps the PIN and who has given it, for as long as the program runs.

    lan: whether other devices can reach this server at all. clock: s, of any origin.
    """

    lan: bool = False
    pin: str = field(default_factory=lambda: f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}")
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        self._secret = secrets.token_bytes(32)
        self._keys: OrderedDict[str, None] = OrderedDict()
        self._by_address: OrderedDict[str, _Guesses] = OrderedDict()
        self._all = _Everybodys(at=self.clock())
        self._one_at_a_time = threading.Lock()

    def is_host(self, request: Request) -> bool:
        """Whether it comes from a browser on this very machine.

        What a proxy passes on comes from the machine too, but not from its keyboard.
        """
        if "X-Forwarded-For" in request.headers or "Forwarded" in request.headers:
            return False
        try:
            return ipaddress.ip_address(request.remote_addr or "").is_loopback
        except ValueError:
            return False

    def controls(self, request: Request) -> bool:
        """Whether it may change anything."""
        if self.is_host(request):
            return True
        key = request.cookies.get(COOKIE, "")
        with self._one_at_a_time:
            return any(hmac.compare_digest(key.encode(), each.encode()) for each in self._keys)

    def csrf(self, request: Request) -> str:
        """The token that a page of ours sends back with every change; another site cannot read it."""
        return self.csrf_of("host" if self.is_host(request) else request.cookies.get(COOKIE, ""))

    def csrf_of(self, whose: str) -> str:
        """The token of the browser with that key; of the host, or "" of one that only watches."""
        return hmac.new(self._secret, whose.encode(), hashlib.sha256).hexdigest()[:32]

    def is_csrf(self, request: Request, token: str) -> bool:
        return hmac.compare_digest(self.csrf(request).encode(), token.encode())

    def you(self, request: Request) -> Mapping[str, Any]:
        """What a page is told of itself."""
        return {
            "controls": self.controls(request),
            "host": self.is_host(request),
            "lan": self.lan,
            "csrf": self.csrf(request),
        }

    def join(self, pin: str, address: str) -> str:
        """The key for the cookie of a browser that gives the PIN.

        Raises WrongPin; TooManyGuesses, and then not even the right PIN is looked at.
        """
        with self._one_at_a_time:
            now = self.clock()
            whose = network_of(address)
            guesses = self._by_address.setdefault(whose, _Guesses())
            self._by_address.move_to_end(whose)
            while len(self._by_address) > MOST_ADDRESSES:
                self._by_address.popitem(last=False)
            wait_s = max(guesses.until - now, self._all.wait_s(now, guesses.wrong == 0))
            if wait_s > 0:
                raise TooManyGuesses(wait_s)
            if not hmac.compare_digest(pin.strip().encode(), self.pin.encode()):
                guesses.failed(now)
                self._all.left -= 1
                raise WrongPin("This is not the PIN; it is shown where the program was started.")
            del self._by_address[whose]
            key = secrets.token_urlsafe(32)
            self._keys[key] = None
            while len(self._keys) > MOST_KEYS:
                self._keys.popitem(last=False)
            return key


def network_of(address: str) -> str:
    """What one device can change its address within: of IPv6 its network of 64 bits, else nothing."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.version == 4:
        return address
    return str(ipaddress.ip_network((parsed, 64), strict=False))

"""Atheris: coverage-guided, typed values from its FuzzedDataProvider; new answers are shown."""

from __future__ import annotations

import inspect
import os
import sys
import typing
from typing import Any

from common import show, start


def main() -> None:
    job, function = start()
    import atheris

    function = atheris.instrument_func(function)
    hints = typing.get_type_hints(function)
    kinds = [hints.get(name, Any) for name in inspect.signature(function).parameters]
    seen: set[str] = set()
    shown: list[None] = []

    def decoded(data: bytes) -> list[Any]:
        provider = atheris.FuzzedDataProvider(data)
        return [value(provider, kind) for kind in kinds]

    def one(data: bytes) -> None:
        try:
            answer = repr(function(*decoded(data)))
        except Exception as error:
            answer = type(error).__name__
        if answer not in seen or len(data) % 7 == 3:
            seen.add(answer)
            shown.append(show(decoded(data)))
        if len(shown) >= 2 * job["count"]:
            os._exit(0)

    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    atheris.Setup([sys.argv[0], f"-max_total_time={int(job['seconds'])}", "-max_len=64", "-timeout=2"], one)
    atheris.Fuzz()


def value(provider: Any, kind: Any) -> Any:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind is bool:
        return provider.ConsumeBool()
    if kind is int:
        return provider.ConsumeIntInRange(-1000, 1000)
    if kind is float:
        return float(provider.ConsumeIntInRange(-10000, 10000)) / 100
    if kind is str:
        return provider.ConsumeString(provider.ConsumeIntInRange(0, 12))
    if kind is list or origin is list:
        item = arguments[0] if arguments else int
        return [value(provider, item) for _ in range(provider.ConsumeIntInRange(0, 8))]
    if origin is tuple:
        return tuple(value(provider, item) for item in arguments if item is not ...)
    choices = arguments or (int, str, list)
    return value(provider, choices[provider.ConsumeIntInRange(0, len(choices) - 1)])


if __name__ == "__main__":
    main()

"""Random values of the annotated types; where there is none, of any simple type."""

from __future__ import annotations

import inspect
import typing
from random import Random
from typing import Any

from common import show, start


def value(random: Random, kind: Any, depth: int = 0) -> Any:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind in (bool,):
        return random.random() < 0.5
    if kind is int:
        return random.randint(-100, 100)
    if kind is float:
        return random.uniform(-100, 100)
    if kind is str:
        return "".join(chr(random.randint(32, 126)) for _ in range(random.randrange(12)))
    if kind is list or origin is list:
        item = arguments[0] if arguments else int
        return [value(random, item, depth + 1) for _ in range(random.randrange(8))]
    if origin is tuple:
        return tuple(value(random, item, depth + 1) for item in arguments if item is not ...)
    if kind is dict or origin is dict:
        key, item = arguments or (str, int)
        return {value(random, key): value(random, item, depth + 1) for _ in range(random.randrange(5))}
    if arguments:
        return value(random, random.choice(arguments), depth + 1)
    simple = (int, float, str, bool) if depth else (int, float, str, bool, list)
    return value(random, random.choice(simple), depth + 1)


def main() -> None:
    job, function = start()
    random = Random(0)
    kinds = [typing.get_type_hints(function).get(name, Any) for name in inspect.signature(function).parameters]
    for _ in range(3 * job["count"]):
        show([value(random, kind) for kind in kinds])


if __name__ == "__main__":
    main()

"""Hypothesis: `from_type` of each annotation; where there is none, any simple value."""

from __future__ import annotations

import inspect
import typing
from typing import Any

from common import show, start


def main() -> None:
    job, function = start()
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import strategies as st

    simple = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
    anything = simple | st.lists(st.integers()) | st.lists(st.text())
    hints = typing.get_type_hints(function)
    bare = {list: st.lists(st.integers()), dict: st.dictionaries(st.text(), st.integers())}

    def strategy(name: str) -> Any:
        kind = hints.get(name, Any)
        return anything if kind is Any else bare.get(kind) or st.from_type(kind)

    seen = 0

    @settings(max_examples=5 * job["count"], database=None, deadline=None, derandomize=True,
              phases=[Phase.generate], suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(st.tuples(*(strategy(name) for name in inspect.signature(function).parameters)))
    def collect(arguments: tuple[Any, ...]) -> None:
        nonlocal seen
        seen += 1
        if seen % 3 == 0:  # spread over the simple ones, which come first, and the others
            show(arguments)

    collect()


if __name__ == "__main__":
    main()

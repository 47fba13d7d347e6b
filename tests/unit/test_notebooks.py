"""Notebooks: the cells above are what a cell's functions find around them."""

from __future__ import annotations

import json

import pytest

from mpt.errors import UsageError
from mpt.notebooks import functions_in


def notebook(*cells: str) -> str:
    code = [{"cell_type": "code", "source": cell.splitlines(keepends=True)} for cell in cells]
    return json.dumps({"nbformat": 4, "cells": [{"cell_type": "markdown", "source": "# def f(): no"}, *code]})


F = 'def f(x):\n    """Do it."""\n    return helper(x)'


def test_the_cells_above_are_the_context_and_places_are_in_the_cell() -> None:
    [helper, function] = functions_in(notebook("def helper(x): return x", F, "gone = 1"), "a.ipynb")
    assert (helper.path, function.path) == ("a.ipynb#cell1", "a.ipynb#cell2")
    assert function.span.start.line == 0
    assert function.place is not None
    assert function.place.module.text == "def helper(x): return x\n" + F + "\n"


def test_magic_commands_are_passed_over() -> None:
    [function] = functions_in(notebook("%matplotlib inline\n!pip install x", "%%bash\nls", F), "a.ipynb")
    assert function.place is not None
    compile(function.place.module.text, "a", "exec")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"cells": [1]}', '{"cells": [{"cell_type": "code"}]}'])
def test_what_is_no_notebook(text: str) -> None:
    with pytest.raises(UsageError, match=r"a\.ipynb: not a Jupyter notebook"):
        functions_in(text, "a.ipynb")

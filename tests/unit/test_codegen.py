"""Prompts to requests, replies to programs."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest

from mpt import codegen, source
from mpt.values import Module, NoProgram, Origin, Place, Program, Prompt

ORIGIN = Origin("paraphrase", "paraphrase", 2, "model", 1)
PROMPT = source.parse_prompt(
    'import math\n\n\ndef area(r):\n    """Of a circle."""\n    return math.pi * r * r\n\n\n'
    'def volume(r: float, h: float) -> float:\n    """Of a cylinder.\n\n    >>> volume(1, 0)\n    0.0\n    """\n',
    "volume",
)
WHOLE = "def volume(r, h):\n    return area(r) * h\n"
BODY = "    base = area(r)\n    return base * h\n"


def read(reply: str, prompt: Prompt = PROMPT) -> Program:
    program = codegen.read(reply, prompt, ORIGIN)
    assert isinstance(program, Program), program
    assert (program.entry_point, program.origin) == (prompt.entry_point, ORIGIN)
    return program


def run(program: Program) -> Any:
    scope: dict[str, Any] = {}
    exec(compile(program.source, "program", "exec", dont_inherit=True), scope)
    return scope[program.entry_point]


def reason(reply: str) -> str:
    nothing = codegen.read(reply, PROMPT, ORIGIN)
    assert isinstance(nothing, NoProgram), nothing
    assert nothing.origin == ORIGIN
    return nothing.reason


# --- asking ---------------------------------------------------------------------------------------


def test_the_request_is_the_papers_question() -> None:
    request = codegen.request(PROMPT, 0.2, 3)
    system, question = request.messages
    assert question.content == (
        f"Can you generate python code for the following function?\n\n```python\n{PROMPT.text.strip()}\n```"
    )
    assert "nothing else" in system.content
    assert (request.temperature, request.sample, request.template) == (0.2, 3, codegen.TEMPLATE)
    assert all(stop not in "\n```python\n" for stop in request.stop)


# --- reading --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        f"```python\n{WHOLE}```",
        f"```python\n{WHOLE}",
        f"```\n{WHOLE}```\n",
        f"Sure! Here it is:\n\n```py\n{WHOLE}```\nThis works because it's simple.",
        WHOLE,
        f"Here's the function:\n\n{WHOLE}\nThis works because it's simple.\n",
        f"1. First:\n   ```python\n   {WHOLE.replace(chr(10), chr(10) + '   ')}\n   ```",
        f"```python\nfrom area import unused_module\n{WHOLE}```",
        f"```python\n{WHOLE}\nprint(volume(1, 2))\nassert volume(1, 2) == 0\n```",
        f"```python\n{WHOLE}\nif __name__ == '__main__':\n    raise SystemExit\nresult = volume(None, None)\n```",
        f"```python\ndef test():\n    pass\n\n{WHOLE}\ndef main():\n    import nothing_of_that_name\nmain()\n```",
        "```python\ndef base(r):\n    return area(r)\n```\nand then\n```python\n"
        "def volume(r, h):\n    return base(r) * h\n```",
        f"```python\nvolume(1, 2)\n```\nis what you call, of\n```python\n{WHOLE}```",
        f"```python\nraise SystemExit\n```\n```python\n{PROMPT.text}    return area(r) * h\n```",
        "```python\nclass Solution:\n    def volume(self, r, h):\n        return area(r) * h\n```",
        "```python\nclass Solution:\n    @staticmethod\n    def volume(r, h):\n        return area(r) * h\n```",
        "```python\nvolume = lambda r, h: area(r) * h\n```",
        "```python\nFACTOR = 1\nTWICE = FACTOR + 0\ndef volume(r, h):\n    return TWICE * area(r) * h\n```",
        "```python\nfrom math import *\ndef volume(r, h):\n    return pi * pow(r, 2) * h\n```",
        "```python\ntry:\n    import numpy_of_no_name\nexcept ImportError:\n    pass\nimport os, math as m\n"
        "def volume(r, h):\n    return m.pi * r * r * h\n```",
        f"It is\n```python\n{PROMPT.text}```\nand so\n```python\n{WHOLE}```",
        f"```python\n{WHOLE}```\nof\n```python\ndef volume(r, h):\n    ...\n```",
        "```python\ntry:\n    from math import pi\nexcept ImportError:\n    from nothing import pi\n"
        "def volume(r, h):\n    return pi * r * r * h\n```",
        BODY,
        BODY.strip(),
        f"```python\n{BODY}```",
        f"```python\n{BODY.strip()}\n```",
        "return area(r) * h",
        f"```python\n{WHOLE}\ndef check(candidate):\n    assert candidate(1,",
        WHOLE.replace("\n", "\r\n"),
    ],
)
def test_programs_in_replies(reply: str) -> None:
    volume = run(read(reply))
    assert volume(1, 2) == pytest.approx(6.283, abs=0.01)
    assert volume(2, 0) == 0


FENCED = '''def volume(r, h):
    """Of a cylinder.

        ```pycon
        >>> volume(1, 0)
        0.0

        ```
    """
    return area(r) * h
'''


@pytest.mark.parametrize(
    "reply",
    [
        f"```python\n{FENCED}```\nThat is all.",
        f"````python\n{FENCED}````",
        f"1. Write it:\n\n    ```python\n{textwrap.indent(FENCED, '    ')}    ```\n2. Done.",
        f"```python\n{FENCED}",
    ],
)
def test_fences_in_a_docstring_end_no_program(reply: str) -> None:
    program = read(reply)
    assert "```pycon" in program.source
    assert run(program)(1, 0) == 0


@pytest.mark.parametrize(
    ("detail", "fault"),
    [
        ("ModuleNotFoundError: No module named 'nosuch'", "there is no module 'nosuch'"),
        ("ModuleNotFoundError: No module named 'their.own'", "it ends in ModuleNotFoundError"),
        ("ImportError: cannot import name 'nothing' from 'math' (/home/me/math.py)", "there is no 'nothing' in 'math'"),
        ("ImportError: cannot import name 'x' from 'mine' (/home/me/mine.py)", "it ends in ImportError"),
        ("NameError: name 'here' is not defined in /home/me", "it ends in NameError"),
        ("NameError: name 'nothing' is not defined", "there is no 'nothing'"),
        ("ModuleNotFoundError: No module named 'such'", "it ends in ModuleNotFoundError"),
        ("KeyError", "it ends in KeyError"),
        ("AcmePatientRegistryDown: at /home/me", "loading it does not end well"),
        ("it did not finish loading in time", "loading it does not end well"),
    ],
)
def test_what_an_earlier_program_lacks_is_told_in_its_own_words_alone(detail: str, fault: str) -> None:
    program = Program("import nosuch\nfrom math import nothing\n", "volume", ORIGIN)
    failed = codegen.unloadable(program, detail)
    assert detail in failed.reason
    assert failed.fault == f"An earlier program for it cannot be loaded here: {fault}. Do without that."
    assert codegen.request(PROMPT, 0.2, 1, fault=failed.fault).messages[-1].content.endswith(f"\n\n{failed.fault}")


def test_a_class_that_was_written_again_is_told_when_a_method_is_asked_for_once_more() -> None:
    place = Place(Module("m", "class Box:\n    def size(self):\n        ...\n"), "Box.size", "method")
    prompt = source.parse_prompt('def size(self):\n    """How many."""\n', "size")
    reply = "```python\nclass Box:\n    def other(self):\n        return 1\n```"
    failed = codegen.read(reply, prompt, ORIGIN, place)
    assert isinstance(failed, NoProgram)
    assert failed.reason == "the reply's code defines 'Box', not 'size'"
    assert "with no class around it" in failed.fault
    assert codegen.read(reply, prompt, ORIGIN) == NoProgram(failed.reason, ORIGIN)


@pytest.mark.parametrize(
    "reply",
    [
        '```python\ndef volume(r, h):\n    """Of a cylinder.\n\n    >>> volume(1, 0)\n    0.0\n```',
        '```python\ndef volume(r, h):\n    """Of a cylinder."""\n```',
    ],
)
def test_a_docstring_that_ate_the_body_is_told_when_it_is_asked_for_once_more(reply: str) -> None:
    failed = codegen.read(reply, PROMPT, ORIGIN)
    assert isinstance(failed, NoProgram)
    assert failed.fault.endswith("Write the function volume with its body, and leave its docstring out.")


def test_what_a_program_does_not_need_is_left_out() -> None:
    program = read(
        f"```python\nimport os\nX = open('x')\n\ndef other():\n    return X\n\n# Counts.\n{WHOLE}print(1)\n```"
    )
    assert program.source == f"{PROMPT.preamble.strip()}\n\n\n{WHOLE}"


def test_future_imports_stand_first() -> None:
    program = read(
        f"```python\n'''Solid.'''\nfrom __future__ import annotations\n{WHOLE.replace('(r,', '(r: Nothing,')}```"
    )
    assert program.source.startswith("from __future__ import annotations\n")
    assert program.source.count("__future__") == 1
    assert run(program)(1, 0) == 0


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("", "the reply is empty"),
        (" \n\n", "the reply is empty"),
        ("```python\n```", "the reply is empty"),
        ("I cannot do that.", "the reply holds no code that defines 'volume'"),
        ("Sure", "the reply holds no code that defines 'volume'"),
        ("The volume is area(r) * h.", "the reply holds no code that defines 'volume'"),
        ("```python\nimport math\nprint(volume(1, 2))\n```", "the reply holds no code that defines 'volume'"),
        ("```python\ndef surface(r):\n    return r\n```", "the reply's code defines 'surface', not 'volume'"),
        (f"```python\n{PROMPT.text}```", "the reply's code defines 'volume' without a body"),
        ("```python\ndef volume(r, h):\n    pass\n```", "the reply's code defines 'volume' without a body"),
        ("```python\ndef volume(r, h):\n    return [r,\n```", "the reply's code does not parse: '[' was never closed"),
        ("```python\ndef volume(r, h):\n    x = 1\n    if x\n", "the reply's code does not parse: expected ':'"),
        ("def volume(r, h:", "the reply's code does not parse: '(' was never closed"),
    ],
)
def test_replies_without_a_program(reply: str, why: str) -> None:
    assert reason(reply).startswith(why)


@pytest.mark.parametrize(
    ("body", "imported"),
    [
        ("math.pi * r", ""),  # the preamble has it
        ("itertools.repeat(r, h)", "import itertools"),
        ("sqrt(r)", "from math import sqrt"),
        ("deque([r], h)", "from collections import deque"),
        ("datetime.now()", "from datetime import datetime"),
        ("datetime.datetime(r, h)", "import datetime"),
        ("time.sleep(r)", "import time"),
        ("np.full(r, h)", "import numpy as np"),
        ("area(r) + nobody_knows(h)", ""),
        ("antigravity.geohash(r, h)", ""),
    ],
)
def test_imports_that_a_reply_forgot(body: str, imported: str) -> None:
    code = read(f"```python\ndef volume(r, h):\n    return {body}\n```").source
    assert code.replace(PROMPT.preamble.strip(), "").partition("def volume")[0].strip() == imported


def test_a_target_is_never_mended() -> None:
    found = codegen.read("def volume(r, h):\n    return sqrt(r)\n", PROMPT, Origin("target"))
    assert isinstance(found, Program)
    assert "from math import sqrt" not in found.source


def test_a_name_of_the_module_is_not_imported_over() -> None:
    place = Place(Module("m", "from mine import sqrt\n"), "volume")
    found = codegen.read("def volume(r, h):\n    return sqrt(r) + floor(h)\n", PROMPT, ORIGIN, place)
    assert isinstance(found, Program)
    assert found.source == "from math import floor\n\n\ndef volume(r, h):\n    return sqrt(r) + floor(h)\n"


PACKAGE = Place(Module("shapes.solids.round", ""), "volume")


@pytest.mark.parametrize(
    "code",
    [
        "from shapes import volume",
        "from . import volume",
        "def volume(r, h):\n    from shapes.solids import volume as ours\n    return ours(r, h)",
        "import shapes.solids\ndef volume(r, h):\n    return shapes.solids.round.volume(r, h)",
        "import shapes as s\ndef volume(r, h):\n    return s.volume(r, h)",
    ],
)
def test_the_function_itself_is_no_program_of_its_own(code: str) -> None:
    found = codegen.read(f"```python\n{code}\n```", PROMPT, ORIGIN, PACKAGE)
    assert found == NoProgram("the reply's code imports 'volume' instead of writing it", ORIGIN)


@pytest.mark.parametrize(
    "code",
    [
        "import shapes\ndef volume(r, h):\n    return shapes.area(r) * h",
        "from .flat import area\ndef volume(r, h):\n    return area(r) * h",
        "import numpy\ndef volume(r, h):\n    return numpy.volume(r, h)",
        "def volume(r, h):\n    return r.volume(h)",
    ],
)
def test_what_the_function_needs_of_its_package_may_be_used(code: str) -> None:
    assert isinstance(codegen.read(f"```python\n{code}\n```", PROMPT, ORIGIN, PACKAGE), Program)


# --- the target -----------------------------------------------------------------------------------


def target(text: str, name: str) -> Program:
    [function] = [function for function in source.find_functions(text) if function.name == name]
    assert function.obstacle is None
    return codegen.target(function)


def test_the_target_brings_what_it_needs_and_nothing_more() -> None:
    text = (
        "from __future__ import annotations\n"
        "import no_module_of_that_name\n"
        "import os.path, math as m\n"
        "from typing import Optional, List\n"
        "try:\n    import json\nexcept ImportError:\n    import simplejson as json\n"
        "Numbers = List[float]\n"
        "SECRET = no_module_of_that_name.key\n"
        'def f(xs: Numbers, most: Optional[int] = None) -> str:\n    """Do it."""\n'
        "    return json.dumps([m.floor(x) for x in xs])\n"
    )
    program = target(text, "f")
    assert program.origin == Origin("target")
    assert run(program)([1.5, 2]) == "[1, 2]"
    assert program.source.startswith("from __future__ import annotations\n")
    assert program.source.count("import json") == 1
    for unneeded in ("no_module", "SECRET", "simplejson", "os.path"):
        assert unneeded not in program.source


def test_the_targets_own_text_is_as_it_was_written() -> None:
    text = 'def f(x):  # why\n\t"""Do it."""\n\treturn (  x )\n'
    assert target(text, "f").source == text


def test_a_helper_in_the_prompt_and_again_in_the_reply() -> None:
    program = read(f"```python\ndef area(r):\n    return 7\n\n{WHOLE}```")
    assert run(program)(1, 2) == 14

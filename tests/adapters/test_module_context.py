"""A program in its place in a module: imported behind the wall, whatever the module does; a reason, never a crash."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from builders import returned
from fakes import FakeWatch
from mpt.adapters.sandbox import WalledSandbox, open_sandbox
from mpt.locating import module_of
from mpt.spelling import outcome, value_of
from mpt.values import Arguments, Kind, Limits, Module, Origin, Outcome, Place, Program, Returned, Stopped
from mpt.worker.codec import Call, Source

LIMITS = Limits(load_s=1.0)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[WalledSandbox]:
    opened = open_sandbox("auto")
    yield opened
    opened.close()


STACK = """
from __future__ import annotations
import asyncio, contextlib, functools
LIMIT = 10
def helper(x): return x + LIMIT
class Base:
    def push(self, x): self.log.append(x)
class Stack(Base):
    def __init__(self, items, name="s"):
        self.items, self.log, self.name, self.me = list(items), [], name, self
    def push(self, x): raise NotImplementedError
    def __secret(self): return 42
    @property
    def top(self): raise ValueError
    @top.setter
    def top(self, x): self.items[-1] = x
"""
TWO = Call("Stack", [[1, 2]], {"name": "t"})


def ran(sandbox: WalledSandbox, text: str, source: str, name: str, kind: Kind, *values: object) -> Outcome:
    place = Place(Module("stack", text), name, kind)
    entry_point = name.rpartition(".")[2]
    program = Program(source, entry_point, Origin("target"), place)
    return sandbox.run([program], [Arguments(tuple(map(value_of, values)))], LIMITS, FakeWatch())[0][0]


def test_a_method_finds_super_private_names_and_helpers_and_its_object_is_part_of_the_outcome(
    sandbox: WalledSandbox,
) -> None:
    source = "def push(self, x):\n    super().push(x)\n    self.items.append(helper(x))\n    return self.__secret()"
    seen = ran(sandbox, STACK, source, "Stack.push", "method", TWO, 5)
    assert isinstance(seen, Returned), seen
    assert seen.value == returned(42).value
    assert outcome(Returned(seen.arguments_after[0])) == "<Stack(items=[1, 2, 15], log=[5], me=…, name='t')>"


@pytest.mark.parametrize(
    ("source", "name", "kind", "values", "answer"),
    [
        ("@property\ndef top(self):\n    return self.items[0]", "Stack.top", "property", [TWO], "1"),
        (
            "@property\ndef top(self):\n    return 7\n@top.setter\ndef top(self, x): raise OSError",
            "Stack.top",
            "property",
            [TWO],
            "7",
        ),
        ("def top(self):\n    return 8", "Stack.top", "property", [TWO], "8"),
        ("def of(cls, n):\n    return cls(range(n)).items", "Stack.of", "class method", [2], "[0, 1]"),
        ("def size(n):\n    return n + LIMIT", "Stack.size", "static method", [2], "12"),
        ("def __new__(cls, items):\n    return [cls, items]", "Stack.__new__", "constructor", [[2]], "[Stack, [2]]"),
        ("@classmethod\ndef of(cls, n):\n    return cls(range(n)).items", "Stack.of", "class method", [2], "[0, 1]"),
        ("@staticmethod\ndef size(n):\n    return n + LIMIT", "Stack.size", "static method", [2], "12"),
        ("def f(n):\n    return f(n - 1) + 1 if n else helper(0)", "f", "function", [3], "13"),
        ("def f(n: Unknown):\n    return n", "f", "function", [3], "3"),
        ("import math\ndef g(x): return -x\ndef f(n):\n    return g(helper(n))", "f", "function", [3], "-13"),
        ("def helper(x): return 0\ndef f(n):\n    return helper(n)", "f", "function", [3], "13"),
        ("@functools.lru_cache\ndef f(n):\n    return helper(n)", "f", "function", [3], "13"),
        ("async def f(n):\n    await asyncio.sleep(0)\n    return helper(n)", "f", "function", [3], "13"),
        ("def f(n):\n    yield n\n    yield helper(n)", "f", "function", [3], "<generator 3, 13>"),
        ("def f(n):\n    yield n\n    raise KeyError", "f", "function", [3], "<generator 3, raises KeyError>"),
        ("async def f(n):\n    yield helper(n)", "f", "function", [3], "<async generator 13>"),
        ("@contextlib.contextmanager\ndef f(n):\n    yield helper(n)", "f", "function", [3], "13"),
        ("@contextlib.asynccontextmanager\nasync def f(n):\n    yield n", "f", "function", [3], "3"),
        ("def f(k, n):\n    return k(n)", "f", "function", [Source("lambda x: helper(x)"), 3], "13"),
        (
            "def f(n, /, m=1, *rest, k=2, **more):\n    return n, m, rest, k, more",
            "f",
            "function",
            [3],
            "(3, 1, (), 2, {})",
        ),
    ],
)
def test_every_kind_of_function(
    sandbox: WalledSandbox, source: str, name: str, kind: Kind, values: list[object], answer: str
) -> None:
    assert outcome(ran(sandbox, STACK, source, name, kind, *values)) == answer


@pytest.mark.parametrize(
    ("expression", "answer"),
    [
        ("pathlib.Path('a') / 'b'", "PosixPath(path='a/b')"),
        ("re.compile('a+')", "Pattern(pattern='a+', flags=32)"),
        ("re.match('(a)', 'ab')", "Match(span=(0, 1), groups=('a',), named={})"),
        ("uuid.UUID(int=1)", "UUID(hex='00000000000000000000000000000001')"),
        ("zoneinfo.ZoneInfo('UTC')", "ZoneInfo(key='UTC')"),
        ("io.StringIO('x')", "StringIO(value='x', position=0)"),
        ("lambda x: x", "<function 'raises TypeError', 1, 'raises TypeError', 'ab', [3, 1, 2], builtins.abs>"),
        ("helper", "stack.helper"),
        ("[].append", "list.append"),
        ("collections.Counter('aab')", "{'a': 2, 'b': 1}"),
    ],
)
def test_answers_of_other_types(sandbox: WalledSandbox, expression: str, answer: str) -> None:
    text = STACK + "import collections, io, pathlib, re, uuid, zoneinfo\n"
    assert outcome(ran(sandbox, text, f"def f():\n    return {expression}", "f", "function")) == answer


def test_an_object_that_cannot_be_made_is_a_reason(sandbox: WalledSandbox) -> None:
    text = (
        "import sqlite3\nclass Stack:\n    def __init__(self): sqlite3.connect('/nowhere/x.db').execute('select 1')\n"
    )
    seen = ran(sandbox, text, "def f(self): return 1", "Stack.f", "method", Call("Stack", [], {}))
    assert seen == Stopped(
        "load", "an input cannot be rebuilt: Stack(…) raises OperationalError: unable to open database file"
    )


def test_a_setter_is_known_by_its_object_and_the_getter_stays(sandbox: WalledSandbox) -> None:
    source = "@property\ndef top(self): return 7\n@top.setter\ndef top(self, x):\n    self.items[-1] = x + LIMIT"
    for text in (source, "def top(self, x):\n    self.items[-1] = x + LIMIT"):
        seen = ran(sandbox, STACK, text, "Stack.top", "setter", TWO, 5)
        assert isinstance(seen, Returned), seen
        assert outcome(Returned(seen.arguments_after[0])).startswith("<Stack(items=[1, 15],")
    seen = ran(sandbox, STACK, "@top.deleter\ndef top(self):\n    self.items.pop()", "Stack.top", "deleter", TWO)
    assert isinstance(seen, Returned), seen
    assert outcome(Returned(seen.arguments_after[0])).startswith("<Stack(items=[1],")


def test_a_property_that_raises(sandbox: WalledSandbox) -> None:
    seen = ran(sandbox, STACK, "@property\ndef top(self): raise OSError(2, 'x')", "Stack.top", "property", TWO)
    assert outcome(seen) == "raises FileNotFoundError"


def test_a_class_with_a_metaclass_and_slots(sandbox: WalledSandbox) -> None:
    text = "class Meta(type):\n    def __call__(cls, *a): return super().__call__(*a)\n"
    text += "class Stack(metaclass=Meta):\n    __slots__ = ('a',)\n    def __init__(self): self.a = 1\n"
    seen = ran(sandbox, text, "def f(self):\n    self.a += 1", "Stack.f", "method", Call("Stack", [], {}))
    assert isinstance(seen, Returned)
    assert outcome(Returned(seen.arguments_after[0])) == "<Stack(a=2)>"


# --- what a module does while it is imported ------------------------------------------------------

ASKED = "def f(x): return x + ONE"
REFUSED = [
    ("import sys\nsys.exit(3)", "SystemExit: 3"),
    ("import os\nos._exit(3)", "importing it ends the process"),
    ("import os\nos.kill(os.getpid(), 11)", "importing it ends the process"),
    ("while True: pass", "importing it does not end within "),
    (
        "import socketserver\nsocketserver.TCPServer(('127.0.0.1', 0), None).serve_forever()",
        "importing it does not end|PermissionError: |OSError: ",
    ),
    ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
    ("x = ", "SyntaxError: "),
    ("import ctypes\nctypes.string_at(0)", "importing it ends the process"),
    ("open('/tmp/left-behind', 'w')", "OSError: |FileNotFoundError: |PermissionError: "),
    ("import os\nos.write(3, b'x\\n' * 9)", "it writes on the worker's own channel while it is imported"),
]


@pytest.mark.parametrize(("text", "why"), REFUSED)
def test_a_module_that_cannot_be_imported_is_a_reason(sandbox: WalledSandbox, text: str, why: str) -> None:
    module = Module("troubled", text)
    failure = sandbox.imported(module, LIMITS, FakeWatch()).failure
    assert failure is not None
    assert failure.startswith(tuple(why.split("|")))
    seen = ran(sandbox, text, ASKED, "f", "function", 1)
    assert isinstance(seen, Stopped)
    assert seen.cause == "load"


TOLERATED = [
    ("ONE = 1\nprint('hello')", "prints"),
    (
        "ONE = 1\nimport threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()",
        "starts a thread",
    ),
    ("ONE = 1\nimport os\ntry:\n    if os.fork() == 0:\n        os._exit(0)\nexcept OSError: pass", "forks"),
    (
        "ONE = 1\ntry:\n    import socket\n    socket.create_connection(('127.0.0.1', 9))\nexcept OSError: pass",
        "makes a socket",
    ),
    ("ONE = 1\ntry:\n    open('/tmp/x', 'w')\nexcept OSError: pass", "opens a file to write: /tmp/x"),
    ("ONE = 1\nimport builtins, sys\nbuiltins.len = None\nbuiltins.open = None\nsys.modules['json'] = None", ""),
    ("ONE = 1\nimport troubled\nassert troubled.ONE == 1", ""),
    ("ONE = 1\nimport random\nassert random.random", ""),
]


@pytest.mark.parametrize(("text", "note"), TOLERATED)
def test_what_importing_does_stays_inside_and_is_told(sandbox: WalledSandbox, text: str, note: str) -> None:
    module = Module("troubled", text)
    importing = sandbox.imported(module, LIMITS, FakeWatch())
    assert importing.failure is None
    assert any(told.startswith(note) for told in importing.notes) or not note
    program = Program(ASKED, "f", Origin("target"), Place(module, "f"))
    [[seen]] = sandbox.run([program], [Arguments((value_of(1),))], LIMITS, FakeWatch())
    assert outcome(seen) == "2"


def test_after_all_that_the_next_function_is_judged(sandbox: WalledSandbox) -> None:
    for text, _ in REFUSED[:3]:
        ran(sandbox, text, ASKED, "f", "function", 1)
    assert outcome(ran(sandbox, STACK, "def f(x): return helper(x)", "f", "function", 1)) == "11"


# --- modules in files -----------------------------------------------------------------------------


def placed(path: Path, name: str = "f") -> Program:
    module = module_of(path)
    module = Module(module.name, path.read_text(), module.path, module.roots)
    return Program(f"def {name}(x): return x + ONE", name, Origin("target"), Place(module, name))


def answer(sandbox: WalledSandbox, path: Path) -> str:
    return outcome(sandbox.run([placed(path)], [Arguments((value_of(1),))], LIMITS, FakeWatch())[0][0])


def test_a_package_with_relative_imports_under_its_real_name(sandbox: WalledSandbox, tmp_path: Path) -> None:
    package = tmp_path / "pkg" / "inner"
    package.mkdir(parents=True)
    (tmp_path / "pkg" / "__init__.py").write_text("from pkg.inner import here\n")
    (package / "__init__.py").write_text("")
    (package / "near.py").write_text("ONE = 1\n")
    (package / "here.py").write_text("from .near import ONE\nassert __name__ == 'pkg.inner.here'\n")
    assert answer(sandbox, package / "here.py") == "2"


def test_a_namespace_package(sandbox: WalledSandbox, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    package = tmp_path / "src" / "space" / "part"
    package.mkdir(parents=True)
    (package / "near.py").write_text("ONE = 1\n")
    (package / "here.py").write_text("from .near import ONE\n")
    assert module_of(package / "here.py").name == "space.part.here"
    assert answer(sandbox, package / "here.py") == "2"


@pytest.mark.parametrize("name", ["random", "string", "json"])
def test_a_document_named_like_the_standard_library_or_beside_one(
    sandbox: WalledSandbox, tmp_path: Path, name: str
) -> None:
    (tmp_path / f"{name}.py").write_text("ONE = 1\n")
    (tmp_path / "here.py").write_text(f"import {name}\nONE = 1\n")
    assert answer(sandbox, tmp_path / f"{name}.py") == "2"
    assert answer(sandbox, tmp_path / "here.py") == "2"


def test_importing_changes_no_file(sandbox: WalledSandbox, tmp_path: Path) -> None:
    (tmp_path / "near.py").write_text("ONE = 1\n")
    (tmp_path / "here.py").write_text("from near import ONE\ntry:\n    open(__file__, 'a')\nexcept OSError: pass\n")
    before = sorted((path.name, path.read_bytes()) for path in tmp_path.iterdir())
    assert answer(sandbox, tmp_path / "here.py") == "2"
    assert sorted((path.name, path.read_bytes()) for path in tmp_path.iterdir()) == before


def test_every_program_gets_its_process_and_the_module_is_imported_once(sandbox: WalledSandbox, tmp_path: Path) -> None:
    """Each fork is asked for; signals of children that end come in between."""
    (tmp_path / "here.py").write_text("import random\nrandom.seed()\nONE = random.random()\n")
    first = placed(tmp_path / "here.py")
    sources = [f"def f(x): return (ONE, {number})" for number in range(400)]
    programs = [Program(source, "f", first.origin, first.place) for source in sources]
    rows = sandbox.run(programs, [Arguments((value_of(1),))], LIMITS, FakeWatch())
    answers = {outcome(row[0]).partition(",")[0] for row in rows}
    assert len(answers) == 1, answers


def test_an_edit_imports_the_module_again_and_nothing_else_does(sandbox: WalledSandbox, tmp_path: Path) -> None:
    path = tmp_path / "here.py"
    text = "import random\nrandom.seed()\nIMPORTED = random.random()\nONE = 1\n"

    def seen() -> str:
        program = placed(path)
        program = Program("def f(x): return IMPORTED", "f", program.origin, program.place)
        return outcome(sandbox.run([program], [Arguments((value_of(1),))], LIMITS, FakeWatch())[0][0])

    path.write_text(text)
    first, again = seen(), seen()
    path.write_text(text + "TWO = 2\n")
    edited = seen()
    path.write_text(text)
    assert first == again != edited
    assert seen() == first


# --- everyday modules that are hard to import -----------------------------------------------------


def test_what_holds_up_importing_is_told(sandbox: WalledSandbox) -> None:
    slow = Module("slow", "import time\ntime.sleep(2.2)\nONE = 1\n")
    assert "takes more than 2 s" in sandbox.imported(slow, LIMITS, FakeWatch()).notes
    loop = Module("loop", "import asyncio\nasync def f(): pass\nasyncio.run(f())\n")
    assert sandbox.imported(loop, LIMITS, FakeWatch()).notes == ()


def test_a_class_whose_metaclass_lets_nothing_be_set_and_a_method_of_the_metaclass(sandbox: WalledSandbox) -> None:
    text = "class Meta(type):\n    def __setattr__(cls, name, value): raise AttributeError\n"
    text += "class Stack(metaclass=Meta):\n    def f(self): pass\n"
    assert outcome(ran(sandbox, text, "def f(self): return 7", "Stack.f", "method", Call("Stack", [], {}))) == "7"
    assert outcome(ran(sandbox, text, "def g(cls): return 8", "Meta.g", "method", Call("Meta", [], {}))) == "8"


def test_a_package_with_a_cycle_data_and_a_guarded_main(sandbox: WalledSandbox, tmp_path: Path) -> None:
    package = tmp_path / "pkg"
    package.mkdir()
    (package / "__init__.py").write_text("from . import near\n")
    (package / "near.py").write_text("from . import here\ndef one(): return here.ONE\n")
    (package / "table.txt").write_text("1")
    (package / "here.py").write_text(
        "from __future__ import annotations\n"
        "import importlib.resources, pathlib, pkgutil\nfrom . import near\n"
        "def typed(x: Unknown): pass\n"
        "ONE = int(pkgutil.get_data('pkg', 'table.txt'))\n"
        "assert ONE == int(importlib.resources.files('pkg').joinpath('table.txt').read_text())\n"
        "assert ONE == int((pathlib.Path(__file__).parent / 'table.txt').read_text())\n"
        "if __name__ == '__main__':\n    raise SystemExit(3)\n"
    )
    assert answer(sandbox, package / "here.py") == "2"


def test_a_folder_that_the_module_puts_on_its_path_itself(sandbox: WalledSandbox, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    for folder in ("lib", "tests"):
        (tmp_path / folder).mkdir()
    (tmp_path / "lib" / "near.py").write_text("ONE = 1\n")
    path = tmp_path / "tests" / "here.py"
    path.write_text("import os, sys\nsys.path.insert(0, os.path.dirname(__file__) + '/../lib')\nfrom near import ONE\n")
    assert answer(sandbox, path) == "2"


CRASHING = """
#include <Python.h>
static PyObject *boom(PyObject *self, PyObject *none) { *(volatile int *)0 = 1; Py_RETURN_NONE; }
static PyMethodDef methods[] = {{"boom", boom, METH_NOARGS, ""}, {0}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "crashing", 0, -1, methods};
PyMODINIT_FUNC PyInit_crashing(void) { return PyModule_Create(&module); }
"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_a_c_extension_that_crashes(sandbox: WalledSandbox, tmp_path: Path) -> None:
    (tmp_path / "crashing.c").write_text(CRASHING)
    include, library = sysconfig.get_paths()["include"], tmp_path / "crashing.so"
    subprocess.run(["gcc", "-shared", "-fPIC", f"-I{include}", tmp_path / "crashing.c", "-o", library], check=True)
    path = tmp_path / "here.py"
    path.write_text("import crashing\nONE = 1\n")
    program = placed(path)
    program = replace(program, source="def f(x):\n    if x == 2: crashing.boom()\n    return x + ONE")
    [row] = sandbox.run([program], [Arguments((value_of(number),)) for number in (1, 2, 3)], LIMITS, FakeWatch())
    assert [outcome(seen) for seen in row] == ["2", "did not end (crash)", "4"]
    path.write_text("import crashing\nONE = 1\ncrashing.boom()\n")
    assert sandbox.imported(placed(path).place.module, LIMITS, FakeWatch()).failure == "importing it ends the process"  # type: ignore[union-attr]

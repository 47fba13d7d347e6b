"""A module of the document's, imported once in the zygote; in a child a program takes a function's place in it.

What importing it does stays inside the wall; a person is told of it.
"""

from __future__ import annotations
import __future__

import ast
import builtins
import functools
import importlib
import importlib.machinery
import importlib.util
import io
import os
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Optional

from mpt.worker.state import names_known
from mpt.worker.told import Told

FILE = "<program>"
"""The file name that programs are compiled under."""
_FLAGS = functools.reduce(
    lambda flags, name: flags | getattr(__future__, name).compiler_flag, __future__.all_feature_names, 0
)
_PATH_TOLD = 100
_LAYERS = 3
_AF_UNIX = 1
"""A pair of such sockets is in every event loop."""
_LONG_S = 2.0


class Context:
    """An imported module: what a program's names are looked up in."""

    def __init__(self, module: types.ModuleType, flags: int) -> None:
        self.module = module
        self.flags = flags
        """Its `from __future__` features, which hold for programs put into it."""
        self.told: Sequence[Told] = ()
        """Types that plugins tell of."""
        self.known = names_known(module.__dict__)
        """What it has without the programs that are put into it."""

    @property
    def names(self) -> dict[str, Any]:
        return self.module.__dict__


# --- importing ------------------------------------------------------------------------------------


def imported(name: str, text: str, path: str, notes: dict[str, None]) -> Context:
    """The module `name` made of `text`, under that name in `sys.modules`. Raises whatever importing it raises.

    notes: there it is told what importing does besides, a clause each, whether or not it comes to its end.
    """
    loader = _Loader(name, text, path)
    threads = threading.active_count()
    sys.meta_path.insert(0, loader)
    sys.modules["builtins"] = own_builtins()  # what it puts in place of `len` does not reach us
    with _observed(notes):
        module = _imported(name, loader)
    if threading.active_count() > threads:
        notes["starts a thread, which its functions do not find running"] = None
    return Context(module, loader.flags)


def own_builtins() -> types.ModuleType:
    """A copy: what a program puts in place of `len` reaches itself alone, not the worker's code."""
    own = types.ModuleType("builtins")
    own.__dict__.update(builtins.__dict__)
    return own


def _imported(name: str, loader: _Loader) -> types.ModuleType:
    parent = name.rpartition(".")[0]
    if parent:
        importlib.import_module(parent)
    module = sys.modules.get(name)
    if module is None or getattr(module, "__loader__", None) is not loader:  # one of that name was there before
        spec = loader.find_spec(name)
        assert spec is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        loader.exec_module(module)
        if parent:
            setattr(sys.modules[parent], name.rpartition(".")[2], module)
    return module


class _Loader:
    """Finds and loads the document's module alone, from its text."""

    def __init__(self, name: str, text: str, path: str) -> None:
        self.name = name
        self.text = text
        self.path = path
        self.flags = 0

    def find_spec(self, name: str, path: object = None, target: object = None) -> Optional[Any]:
        if name != self.name:
            return None
        spec = importlib.machinery.ModuleSpec(name, self, origin=self.path or None)  # type: ignore[arg-type]
        spec.has_location = bool(self.path)
        folder, _, file = self.path.rpartition(os.sep)
        if file == "__init__.py":
            spec.submodule_search_locations = [folder]
        return spec

    def create_module(self, spec: object) -> None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        code = compile(self.text, self.path or "<" + self.name + ">", "exec", dont_inherit=True)
        self.flags = code.co_flags & _FLAGS
        module.__dict__["__builtins__"] = sys.modules["builtins"]
        exec(code, module.__dict__)

    def get_source(self, name: str) -> str:
        return self.text


@contextmanager
def _observed(notes: dict[str, None]) -> Iterator[None]:
    """Notes what is done beside computing, while it lasts."""
    watching, began = True, time.monotonic()
    streams = sys.stdout, sys.stderr
    printed = io.StringIO()

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if watching and event in _TOLD:
            told = _TOLD[event](arguments)
            if told:
                notes[told] = None

    sys.addaudithook(hook)
    sys.stdout = sys.stderr = printed
    try:
        yield
    finally:
        watching = False
        sys.stdout, sys.stderr = streams
        if time.monotonic() - began > _LONG_S:
            notes[f"takes more than {_LONG_S:g} s"] = None
    if printed.getvalue():
        notes["prints"] = None


def _opened(arguments: tuple[Any, ...]) -> str:
    path, _, flags = arguments
    writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    return "opens a file to write: " + str(path)[:_PATH_TOLD] if writes and isinstance(path, str) else ""


_TOLD: dict[str, Callable[[tuple[Any, ...]], str]] = {
    "open": _opened,
    "os.mkdir": lambda arguments: "makes a folder",
    "os.remove": lambda arguments: "removes a file",
    "socket.__new__": lambda arguments: "" if arguments[1] == _AF_UNIX else "makes a socket",
    "socket.connect": lambda arguments: "connects to the network",
    "socket.bind": lambda arguments: "opens a port",
    "socket.getaddrinfo": lambda arguments: "looks up a host",
    "subprocess.Popen": lambda arguments: "starts another program",
    "os.system": lambda arguments: "starts another program",
    "os.fork": lambda arguments: "forks",
}


# --- a program in a function's place --------------------------------------------------------------


class Placed:
    """A program in its place. Calling it puts it there anew, since others may take turns with it.

    back: puts there what was there before, so that arguments are made by the module as it is, alike for all programs.
    """

    def __init__(self, put: Callable[[], None], back: Callable[[], None], call: Callable[..., Any]) -> None:
        self._put = put
        self.back = back
        self._call = call

    def __call__(self, *positional: Any, **keyword: Any) -> Any:
        self._put()
        return self._call(*positional, **keyword)


def placed(context: Context, source: str, entry_point: str, name: str, kind: str) -> Placed:
    """The program `source` in the place `name` (qualified) of the module. Raises whatever the source raises.

    What the program defines besides is added to the module where it has no such name: its own helpers go first.
    """
    mine, rest = _parted(source, entry_point, context.names, kind)
    exec(_compiled(rest, context.flags), context.names)
    holder = name.rpartition(".")[0]
    if kind == "function":
        return _function(context, mine, entry_point)
    return _method(_holder(context, holder), _in_class(context, mine, entry_point, holder), entry_point, kind)


def _parted(source: str, entry_point: str, known: dict[str, Any], kind: str) -> tuple[ast.Module, ast.Module]:
    """The entry point's definition, and what of the rest binds names that are not known; features first in both.

    Of several definitions (a property's getter and its setter) the last of that kind counts.
    """
    tree = ast.parse(source, FILE)
    mine: list[ast.stmt] = []
    rest: list[ast.stmt] = []
    futures: list[ast.stmt] = []
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            futures.append(node)
        elif entry_point in set(_bound(node)):
            mine = [node] if not mine or _part(node) == kind or _part(mine[0]) != kind else mine
        elif set(_bound(node)) - known.keys():
            rest.append(node)
    if not mine:
        raise NameError("it defines no function " + entry_point)
    return ast.Module([*futures, *mine], []), ast.Module([*futures, *rest], [])


def _part(node: ast.stmt) -> str:
    """Which part of a property the definition is, by its decorator."""
    parts = [one.attr for one in getattr(node, "decorator_list", ()) if isinstance(one, ast.Attribute)]
    return next((part for part in parts if part in ("setter", "deleter")), "property")


def _bound(node: ast.stmt) -> Iterator[str]:
    """Names that a statement at the top level of a program binds."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        for alias in node.names:
            yield alias.asname or alias.name.partition(".")[0]
    else:
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                yield inner.id


def _compiled(tree: ast.Module, flags: int) -> Any:
    return compile(ast.fix_missing_locations(tree), FILE, "exec", flags, dont_inherit=True)


def _function(context: Context, tree: ast.Module, name: str) -> Placed:
    own: dict[str, Any] = {}
    try:
        exec(_compiled(tree, context.flags), context.names, own)
    except Exception:
        swapped = _swapped(context, tree, name)
        if swapped is None:
            raise
        return swapped
    function = _callable(own[name], name)
    before = {name: context.names[name]} if name in context.names else {}

    def put() -> None:
        context.names[name] = function

    def back() -> None:
        context.names.pop(name, None)
        context.names.update(before)

    put()
    return Placed(put, back, function)


def _swapped(context: Context, tree: ast.Module, name: str) -> Optional[Placed]:
    """For a decorator that takes a name only once (a registry, a route): the program's code, inside what it made of the
    module's own function; None where there is no such function."""
    outer = context.names.get(name)
    inner = next((one for one in _inside(outer) if one.__name__ == name), None)
    definition = tree.body[-1]
    if inner is None or not isinstance(definition, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return None
    definition.decorator_list = []
    own: dict[str, Any] = {}
    exec(_compiled(tree, context.flags), context.names, own)
    function = own[name]
    if function.__code__.co_freevars != inner.__code__.co_freevars:
        return None

    before = types.FunctionType(inner.__code__, {}, name, inner.__defaults__, inner.__closure__)
    before.__kwdefaults__ = inner.__kwdefaults__

    def become(other: types.FunctionType) -> None:
        inner.__code__ = other.__code__
        inner.__defaults__, inner.__kwdefaults__ = other.__defaults__, other.__kwdefaults__

    become(function)
    return Placed(functools.partial(become, function), functools.partial(become, before), _callable(outer, name))


def _inside(outer: Any) -> Iterator[types.FunctionType]:
    """Functions that an object holds: those it wraps, keeps in an attribute or closes over; three deep."""
    level = [outer]
    for _ in range(_LAYERS):
        deeper: list[Any] = []
        for one in level:
            if isinstance(one, types.FunctionType):
                yield one
            deeper += vars(one).values() if hasattr(one, "__dict__") else ()
            deeper += [cell.cell_contents for cell in getattr(one, "__closure__", None) or () if _is_filled(cell)]
        level = [one for one in deeper if callable(one)]


def _is_filled(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018 - empty ones raise
    except ValueError:
        return False
    return True


def _callable(function: Any, name: str) -> Any:
    if not callable(function):
        raise NameError("it defines no function " + name)
    return function


def _holder(context: Context, name: str) -> type:
    found: Any = context.module
    for part in name.split("."):
        found = getattr(found, part)
    if not isinstance(found, type):
        raise TypeError(name + " is no class")
    return found


def _in_class(context: Context, tree: ast.Module, name: str, holder: str) -> Any:
    """What the definition gives in the class's body: private names are mangled as there, and `super()` finds it."""
    cls = _holder(context, holder)
    body = ast.parse("class " + cls.__name__ + "(metaclass=metaclass): pass").body[0]
    assert isinstance(body, ast.ClassDef)
    body.body = [tree.body[-1]]
    parameters = {one.__name__: one for one in getattr(cls, "__type_params__", ())}
    own: dict[str, Any] = {"metaclass": _Namespace({**parameters, **vars(cls)})}
    exec(_compiled(ast.Module([*tree.body[:-1], body], []), context.flags), context.names, own)
    namespace = own[cls.__name__]
    if "__classcell__" in namespace:
        namespace["__classcell__"].cell_contents = cls
    return namespace[_mangled(name, cls)]


def _mangled(name: str, cls: type) -> str:
    """As the class's body spells a private name."""
    private = name.startswith("__") and not name.endswith("__")
    return "_" + cls.__name__.lstrip("_") + name if private else name


class _Namespace:
    """Stands where a metaclass does, and gives what the class's body has defined instead of a class."""

    def __init__(self, names: dict[str, Any]) -> None:
        self.names = names

    def __prepare__(self, name: str, bases: Any) -> dict[str, Any]:
        return self.names

    def __call__(self, name: str, bases: Any, names: dict[str, Any]) -> dict[str, Any]:
        return names


def _method(cls: Any, member: Any, name: str, kind: str) -> Placed:
    name = _mangled(name, cls)
    before = [vars(cls)[name]] if name in vars(cls) else []
    member = _member(before[0] if before else None, member, kind)
    if hasattr(type(member), "__set_name__"):
        type(member).__set_name__(member, cls, name)

    def put() -> None:
        type.__setattr__(cls, name, member)  # whatever its metaclass has against it

    def back() -> None:
        if before:
            type.__setattr__(cls, name, before[0])
        elif name in vars(cls):
            type.__delattr__(cls, name)

    put()
    return Placed(put, back, _CALLS.get(kind, _called_on_class)(cls, name))


def _member(before: Any, member: Any, kind: str) -> Any:
    """What stands in the class: a property keeps its other parts, and a bare function becomes what it is there."""
    if kind in _PARTS and isinstance(before, property) and isinstance(member, (property, types.FunctionType)):
        parts = {part: getattr(before, part) for part in _PARTS.values()}
        parts[_PARTS[kind]] = getattr(member, _PARTS[kind]) if isinstance(member, property) else member
        return property(doc=member.__doc__, **parts)
    wrap = _WRAPPERS.get(kind)
    return wrap(member) if wrap and isinstance(member, types.FunctionType) else member


_PARTS = {"property": "fget", "setter": "fset", "deleter": "fdel"}
_WRAPPERS: dict[str, Callable[[Any], Any]] = {
    "property": property,
    "class method": classmethod,
    "static method": staticmethod,
    "constructor": staticmethod,
}


def _called_on_class(cls: Any, name: str) -> Callable[..., Any]:
    return lambda *positional, **keyword: getattr(cls, name)(*positional, **keyword)


_CALLS: dict[str, Callable[[Any, str], Callable[..., Any]]] = {
    "property": lambda cls, name: lambda self: getattr(self, name),
    "setter": lambda cls, name: lambda self, value: setattr(self, name, value),
    "deleter": lambda cls, name: lambda self: delattr(self, name),
    "method": lambda cls, name: lambda self, *positional, **keyword: getattr(self, name)(*positional, **keyword),
    "constructor": lambda cls, name: lambda *positional, **keyword: getattr(cls, name)(cls, *positional, **keyword),
}
"""How a member is used, its object first; class and static methods are called on the class."""

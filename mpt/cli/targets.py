"""What `mpt check PATH[::FUNCTION]…` names: paths → functions."""

from __future__ import annotations

import fnmatch
import io
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mpt.errors import UsageError
from mpt.locating import module_of
from mpt.notebooks import functions_in
from mpt.source import find_functions
from mpt.source.names import parse
from mpt.values import Function, Module

_PYTHON = (".py", ".ipynb")
_SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages", "venv", "build", "dist"})


@dataclass(frozen=True, slots=True)
class Chosen:
    """The functions one argument names. undocumented: how many were passed over for want of a docstring.

    problem: a line on a file that cannot be read, or cannot be parsed as a whole. unread: nothing of it is known.
    """

    path: Path
    functions: tuple[Function, ...]
    undocumented: int = 0
    problem: str = ""
    unread: bool = False


def choose(argument: str) -> list[Chosen]:
    """The functions that `PATH` or `PATH::FUNCTION` names, file by file.

    Raises UsageError: no such file, a folder without Python, not UTF-8, no such function. In a folder a file that
    cannot be read is a problem of its own.
    """
    path_text, _, name = argument.partition("::")
    path = Path(path_text)
    if not path.exists():
        raise UsageError(f"{path_text}: no such file or folder")
    if path.is_dir():
        if name:
            raise UsageError(f"{argument}: name the file the function {name!r} is in, not a folder")
        files = sorted(_python_files(path))
        if not files:
            raise UsageError(f"{path_text}: no Python file in this folder")
        return [_readable(file) for file in files]
    return [_named(path, name)] if name else [_documented(path)]


def is_ignored(path: Path, root: Path, patterns: Sequence[str]) -> bool:
    """Whether a project's `ignore` patterns, relative to its root, leave `path` out."""
    try:
        relative = path.resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        return False
    return any(fnmatch.fnmatch(relative, pattern) for pattern in patterns)


def _python_files(folder: Path) -> Iterator[Path]:
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith(".") or entry.name in _SKIPPED or (entry / "pyvenv.cfg").exists():
            continue
        if entry.is_dir() and not entry.is_symlink():
            yield from _python_files(entry)
        elif entry.suffix in _PYTHON and entry.is_file():
            yield entry


def _read(path: Path) -> tuple[str, Module]:
    try:
        return _text(path.read_bytes()), module_of(path)
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not UTF-8 (byte {error.start}); save it as UTF-8") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from None


def _text(data: bytes) -> str:
    """In the encoding that its first lines name, as Python reads it; else UTF-8. Raises UnicodeDecodeError."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError:  # it names none that there is, or is not UTF-8 as it should be
        encoding = "utf-8"
    return data.decode(encoding)


def _functions(path: Path, text: str, module: Module) -> tuple[Function, ...]:
    find = functions_in if path.suffix == ".ipynb" else find_functions
    return find(text, str(path), module)


def _readable(path: Path) -> Chosen:
    try:
        return _documented(path)
    except UsageError as error:
        return Chosen(path, (), problem=str(error), unread=True)


def _documented(path: Path) -> Chosen:
    text, module = _read(path)
    functions = _functions(path, text, module)
    if not functions and path.suffix not in _PYTHON:
        raise UsageError(f"{path}: no Python: there is no function in it")
    documented = tuple(function for function in functions if function.prompt.segments)
    return Chosen(path, documented, len(functions) - len(documented), _syntax_error(path, text))


def _syntax_error(path: Path, text: str) -> str:
    """What of a Python file hides the rest; functions that are whole are found all the same."""
    if path.suffix == ".ipynb":
        return ""
    try:
        parse(text)
    except (SyntaxError, ValueError) as error:
        where = f" in line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        return f"{path}: syntax error{where}: {getattr(error, 'msg', error)}; what it hides is not judged"
    except (RecursionError, MemoryError):
        return f"{path}: too deeply nested to be parsed"
    return ""


def _named(path: Path, name: str) -> Chosen:
    functions = _functions(path, *_read(path))
    found = tuple(function for function in functions if function.name == name)
    if not found:
        known = ", ".join(function.name for function in functions[:8]) or "none"
        raise UsageError(f"{path}: no function {name!r} (it has: {known})")
    return Chosen(path, found)

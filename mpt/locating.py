"""Which module a file is, and from where its imports are looked up: read from the folders around it, nothing is run."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from mpt.values import Module

_PROJECT = ("pyproject.toml", "setup.py", "setup.cfg", ".git")


def module_of(path: Path) -> Module:
    """The module that the file `path` is, without its text.

    Its package is the chain of folders with an `__init__.py`; in none of these it is a module by itself, unless it
    imports relatively: then it lies in a namespace package below the project's folder.
    """
    file = path.absolute()
    package = file.parent
    while (package / "__init__.py").is_file():
        package = package.parent
    project = _project(file)
    if package == file.parent and project is not None and package != project and _imports_relatively(file):
        package = project / "src" if (project / "src").is_dir() and file.is_relative_to(project / "src") else project
    roots = [package]
    if project is not None:
        roots += [folder for folder in (project, project / "src") if folder.is_dir()]
    return Module(_dotted(file, package), "", str(file), tuple(dict.fromkeys(map(str, roots))))


def _dotted(file: Path, root: Path) -> str:
    parts = file.relative_to(root).with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)
    return name if all(part.isidentifier() for part in name.split(".")) else "document"


def _project(file: Path) -> Path | None:
    return next((folder for folder in file.parents if any((folder / name).exists() for name in _PROJECT)), None)


def _imports_relatively(file: Path) -> bool:
    try:
        tree = ast.parse(file.read_bytes())
    except SyntaxError:  # it may be of a newer Python than ours
        return re.search(rb"^\s*from\s+\.", file.read_bytes(), re.MULTILINE) is not None
    except (OSError, ValueError, RecursionError, MemoryError):
        return False
    return any(isinstance(node, ast.ImportFrom) and node.level > 0 for node in ast.walk(tree))

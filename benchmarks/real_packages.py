"""The packages of real_code.py: pinned, installed into an environment of their own; which functions are taken."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import platformdirs

from mpt.locating import module_of
from mpt.source import find_functions
from mpt.values import Function

PACKAGES = {
    "more-itertools": ("10.5.0", "more_itertools"),
    "boltons": ("24.0.0", "boltons"),
    "toolz": ("0.12.1", "toolz"),
    "networkx": ("3.2.1", "networkx"),
    "sortedcontainers": ("2.4.0", "sortedcontainers"),
    "python-dateutil": ("2.9.0.post0", "dateutil"),
    "humanize": ("4.9.0", "humanize"),
    "inflection": ("0.5.1", "inflection"),
    "attrs": ("24.2.0", "attr"),
    "packaging": ("24.1", "packaging"),
    "cachetools": ("5.5.0", "cachetools"),
    "python-slugify": ("8.0.4", "slugify"),
    "textdistance": ("4.6.3", "textdistance"),
    "funcy": ("2.0", "funcy"),
    "jinja2": ("3.1.4", "jinja2"),
    "numpy-financial": ("1.0.0", "numpy_financial"),
    "ta": ("0.11.0", "ta"),
    "portion": ("2.6.1", "portion"),
    "pyrsistent": ("0.20.0", "pyrsistent"),
    "intervaltree": ("3.2.1", "intervaltree"),
    "pydash": ("8.0.6", "pydash"),
}
"""Distribution → version and the package in it. numpy-financial takes numbers and arrays, ta pandas' series."""
NEEDED = (
    "pandas==2.3.3",
    'numpy==2.0.2; python_version < "3.10"',
    'numpy==2.2.6; python_version == "3.10"',
    'numpy==2.3.5; python_version >= "3.11"',
)
"""What these need and what matters to the result; no one numpy installs on every Python from 3.9 to 3.14."""
MAX_FILES = 12
"""Files read of one package, evenly over all."""


def environment(python: str) -> Path:
    """The folder of a virtual environment with the packages, made where there is none yet."""
    pins = [*(f"{name}=={version}" for name, (version, _) in PACKAGES.items()), *NEEDED]
    version = subprocess.run(
        [python, "-c", "import sys; print(sys.version_info[:3])"], capture_output=True, text=True, check=True
    )
    key = hashlib.sha256("\n".join([version.stdout, *pins]).encode()).hexdigest()[:12]
    folder = platformdirs.user_cache_path("mpt") / "benchmarks" / f"real-code-{key}"
    if not (folder / "ready").exists():
        subprocess.run([python, "-m", "venv", "--clear", folder], check=True)
        pip = [folder / "bin" / "python", "-m", "pip", "install", "-qqq"]
        subprocess.run([*pip, *pins], check=True, stdout=sys.stderr)
        (folder / "ready").touch()
    return folder


def taken(python: Path, count: int) -> list[Function]:
    """So many functions, of every package the same number where it has so many."""
    all_of = [_public(python, package) for _, package in PACKAGES.values()]
    a_package = next((n for n in range(1, count) if sum(min(n, len(some)) for some in all_of) >= count), count)
    return [function for some in all_of for function in _spread(some, a_package)]


def package_of(function: Function) -> str:
    """The name that its package is imported under."""
    return Path(function.path).as_posix().rpartition("/site-packages/")[2].partition("/")[0].removesuffix(".py")


def _spread(items: Sequence[Any], count: int) -> list[Any]:
    """So many of them, evenly over all in their order."""
    step = max(1.0, len(items) / count)
    return [items[int(i * step)] for i in range(min(count, len(items)))]


def _public(python: Path, package: str) -> list[Function]:
    """No tests; of private modules only where the others define nothing: the package shows theirs as its own then."""
    [site] = python.glob("lib/python3*/site-packages")
    files = sorted((site / package).rglob("*.py")) or [site / f"{package}.py"]
    code = [file for file in files if not _is_named(file.relative_to(site), ("test", "conftest", "benchmark"))]
    public = [file for file in code if not _is_named(file.relative_to(site), ("_",))]
    return list(_documented(public)) or list(_documented(code))


def _documented(files: Sequence[Path]) -> Iterator[Function]:
    for path in _spread(files, MAX_FILES):
        for function in find_functions(path.read_text("utf-8"), str(path), module_of(path)):
            name = function.name.rpartition(".")[2]
            if function.prompt.has_description and not _is_private(function) and not name.startswith("test"):
                yield function


def _is_named(path: Path, beginnings: tuple[str, ...]) -> bool:
    """Does the name of the module, or of a package below the first, begin so?"""
    parts = path.with_suffix("").parts[1:]
    return any(part != "__init__" and part.startswith(beginnings) for part in parts)


def _is_private(function: Function) -> bool:
    """By its name, or because it stands inside another function."""
    decorated = function.prompt.signature
    inside = function.obstacle is not None and "function" in function.obstacle and "stands" in function.obstacle
    return inside or re.search(r"(^|\.)_", function.name) is not None or "overload" in decorated.partition("def ")[0]

"""All settings, their defaults and units, decoded once at the edge into one frozen value.

Who may set what, later over earlier:

    defaults < the person's settings file < the project's [tool.mpt] (harmless keys only) < MPT_LLM < flags, editor

A project cannot choose the model, where it is, what is spent, the sandbox or the interpreter: whoever writes a
pyproject.toml is not the person whose machine, money and secrets these are.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, get_args, get_type_hints

from mpt.errors import SettingsError
from mpt.values import FuzzBudget, Limits

POLICIES = ("default", "consensus", "majority", "conservative")
SENSITIVITIES = ("quiet", "balanced", "thorough")
SELECTS = ("assistant", "documented", "marked", "off")
DOMAINS = ("rules", "model")
SANDBOXES = ("auto", "bubblewrap", "landlock", "sandbox-exec", "none")
FUZZERS = ("auto", "afl", "loop")
CONTEXTS = ("none", "signatures", "definitions")

PATIENT_EXECUTIONS = 3000
"""`fuzz_executions` where nobody waits: an evaluation."""

HARMLESS = frozenset({"select", "ignore", "paraphrases", "inputs", "policy", "sensitivity"})
"""What a project's [tool.mpt] may set."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting. Harmless ones first; from `llm` on only the person may set them."""

    select: str = "assistant"
    """Which functions the editor checks: assistant, documented, marked, off."""
    ignore: tuple[str, ...] = ()
    """Glob patterns of paths, relative to the project, that are never checked."""
    paraphrases: int = 5
    """Paraphrase programs asked for (paper: 5)."""
    inputs: int = 20
    """Inputs at most, examples not counted (paper: 20)."""
    policy: str = "default"
    """How evidence becomes a verdict: default, consensus, majority, conservative."""
    sensitivity: str = "balanced"
    """How sure the policy `default` is before it warns: quiet, balanced, thorough."""

    llm: str = "embedded"
    """"embedded", MODEL@BASE_URL, or MODEL for OpenAI's own service."""
    context: str = "signatures"
    """What a model is told of the module around a function that needs it: none, signatures, definitions."""
    paraphrase_temperature: float = 1.0
    program_temperature: float = 0.2
    max_calls_per_check: int = 60
    """Language model calls at most for one function; what is kept costs none."""
    max_calls_per_day: int = 2000
    """Language model calls at most a calendar day (UTC)."""
    concurrent_calls: int = 5
    """Language model calls under way at once, of all checks together."""
    llm_deadline_s: float = 300.0
    """Wall clock for one batch of replies, retries included."""
    sandbox: str = "auto"
    """auto: the strongest wall that holds; a wall that does not hold refuses to run; none runs without a wall."""
    python: str = ""
    """Interpreter that runs the programs; empty: the one mpt runs on."""
    fuzzer: str = "auto"
    """auto: the in-process loop, and AFL where that found too few; afl, loop: that one alone."""
    domain: str = "rules"
    """What tells which inputs a function is meant for: rules, or a reading by the language model too (a call each)."""
    fuzz_executions: int = 300
    """Inputs that the in-process loop tries, each on all programs."""
    fuzz_s: float = 4.0
    """Seconds for AFL, its start included."""
    load_s: float = 5.0
    """Seconds for a program to load (its imports)."""
    input_s: float = 1.0
    """Seconds for one call."""
    program_s: float = 10.0
    """Seconds for one program on all inputs."""
    check_s: float = 120.0
    """Seconds for all programs of a check on all inputs, by the wall clock."""
    memory_bytes: int = 1 << 30
    """Memory of one program."""
    nice: int = 0
    """How far programs and the embedded model stand back for other work: 0 to 19, as of nice(1)."""
    agreement: float = 0.8
    """consensus: share of comparable programs that must give one and the same other answer."""
    min_programs: int = 3
    """Fewer comparable paraphrase programs than this: INCONCLUSIVE."""
    seed: int = 0
    """Seed of every random choice."""

    def __post_init__(self) -> None:
        _check_choice("select", self.select, SELECTS)
        _check_choice("policy", self.policy, POLICIES)
        _check_choice("sensitivity", self.sensitivity, SENSITIVITIES)
        _check_choice("sandbox", self.sandbox, SANDBOXES)
        _check_choice("fuzzer", self.fuzzer, FUZZERS)
        _check_choice("domain", self.domain, DOMAINS)
        _check_choice("context", self.context, CONTEXTS)
        _check_range("paraphrases", self.paraphrases, 1, 50)
        _check_range("inputs", self.inputs, 1, 1000)
        _check_range("paraphrase_temperature", self.paraphrase_temperature, 0, 2)
        _check_range("program_temperature", self.program_temperature, 0, 2)
        _check_range("max_calls_per_check", self.max_calls_per_check, 0, 10_000)
        _check_range("max_calls_per_day", self.max_calls_per_day, 0, 10_000_000)
        _check_range("concurrent_calls", self.concurrent_calls, 1, 100)
        _check_range("nice", self.nice, 0, 19)
        _check_range("agreement", self.agreement, 0.5, 1)
        _check_range("min_programs", self.min_programs, 1, 50)
        _check_range("fuzz_executions", self.fuzz_executions, 0, 10_000_000)
        _check_range("memory_bytes", self.memory_bytes, 32 << 20, 1 << 44)
        for name in ("llm_deadline_s", "fuzz_s", "load_s", "input_s", "program_s", "check_s"):
            _check_range(name, getattr(self, name), 0.01, 86_400)

    @property
    def limits(self) -> Limits:
        return Limits(
            load_s=self.load_s,
            input_s=self.input_s,
            program_s=self.program_s,
            check_s=self.check_s,
            memory_bytes=self.memory_bytes,
        )

    @property
    def fuzz_budget(self) -> FuzzBudget:
        return FuzzBudget(inputs=self.inputs, executions=self.fuzz_executions, seconds=self.fuzz_s, seed=self.seed)


@dataclass(frozen=True, slots=True)
class Decoded:
    """Settings, and one line for each thing that was asked for and not done."""

    settings: Settings
    warnings: tuple[str, ...] = ()


def apply(base: Settings, changes: Mapping[str, Any], where: str, *, harmless_only: bool = False) -> Decoded:
    """Lays `changes` over `base`. What is unknown, not allowed or unusable is left out, each with a warning."""
    settings, warnings = base, []
    known = {field.name for field in fields(Settings)}
    for key, value in changes.items():
        name = key.replace("-", "_")
        if name not in known:
            warnings.append(f"{where}: unknown setting {key!r}{_nearest(name, known)}; ignored")
        elif harmless_only and name not in HARMLESS:
            warnings.append(
                f"{where}: {key!r} cannot be set by a project, only by a flag, your own settings or the editor; ignored"
            )
        else:
            try:
                settings = replace(settings, **{name: _typed(name, value)})
            except SettingsError as error:
                warnings.append(f"{where}: {error}; kept {getattr(base, name)!r}")
    return Decoded(settings, tuple(warnings))


def read_project(base: Settings, pyproject: Path) -> Decoded:
    """Lays a project's [tool.mpt] over `base`: harmless keys only, the rest a warning each."""
    table, warnings = _read_toml(pyproject)
    tool = table.get("tool", {})
    ours = tool.get("mpt", {}) if isinstance(tool, dict) else {}
    if not isinstance(ours, dict):
        return Decoded(base, (*warnings, f"{pyproject}: [tool.mpt] is not a table; ignored"))
    decoded = apply(base, ours, f"{pyproject} [tool.mpt]", harmless_only=True)
    return Decoded(decoded.settings, (*warnings, *decoded.warnings))


def read_user(base: Settings, path: Path) -> Decoded:
    """Lays the person's own settings file over `base`."""
    table, warnings = _read_toml(path)
    decoded = apply(base, table, str(path))
    return Decoded(decoded.settings, (*warnings, *decoded.warnings))


def nearest_pyproject(path: Path) -> Path | None:
    """The pyproject.toml that governs `path`: the nearest at or above it."""
    start = path.absolute()
    return next((p / "pyproject.toml" for p in (start, *start.parents) if (p / "pyproject.toml").is_file()), None)


def _read_toml(path: Path) -> tuple[dict[str, Any], tuple[str, ...]]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8")), ()
    except FileNotFoundError:
        return {}, ()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return {}, (f"{path}: cannot be read ({error}); ignored",)


def _typed(name: str, value: Any) -> Any:
    expected = get_type_hints(Settings)[name]
    if expected is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if get_args(expected):
        if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
            return tuple(value)
        raise SettingsError(f"{name!r} wants a list of strings, not {value!r}")
    if type(value) is not expected:
        raise SettingsError(f"{name!r} wants {expected.__name__}, not {value!r}")
    return value


def _check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise SettingsError(f"{name!r} is one of {', '.join(choices)}, not {value!r}{_nearest(value, set(choices))}")


def _check_range(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise SettingsError(f"{name!r} is from {low} to {high}, not {value!r}")


def _nearest(name: str, known: set[str]) -> str:
    close = difflib.get_close_matches(name, sorted(known), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""

"""Every frozen value that passes between the parts: the nouns of the design, and nothing else.

Frozen, slots, tuples all the way down, checked on construction. All behaviour is in functions elsewhere.

    text ─ Function ─ Prompt ─ Paraphrase ─ Program ─ Arguments ─ Outcome ─ Evidence ─ Verdict ─ Report
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

# --- where things are ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in a text: 0-based line, 0-based column in code points."""

    line: int
    column: int

    def __post_init__(self) -> None:
        if self.line < 0 or self.column < 0:
            raise ValueError(f"a position is never negative: {self.line}:{self.column}")


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open stretch of a text, from `start` up to, not including, `end`."""

    start: Position
    end: Position

    def __post_init__(self) -> None:
        if self.end < self.start:
            raise ValueError(f"a span ends before it starts: {self.start} > {self.end}")


# --- what the person and the assistant wrote ----------------------------------------------------

SegmentKind = Literal["description", "example", "other"]


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a docstring. `other` is what is neither reworded nor run: quotes, headings, white space."""

    kind: SegmentKind
    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a function was written from (paper §3.1).

    `preamble + signature + "".join(segment texts)` is the prompt's text, byte for byte.

    preamble: imports and definitions that stand before the signature, ending in a newline or empty.
    signature: decorators and `def …:` up to the docstring's own indentation.
    segments: the docstring in order, its quotes in segments of kind `other`; empty where there is none.
    entry_point: the function's name.
    """

    preamble: str
    signature: str
    segments: tuple[Segment, ...]
    entry_point: str

    @property
    def text(self) -> str:
        return self.preamble + self.signature + "".join(segment.text for segment in self.segments)

    @property
    def description(self) -> str:
        """The natural-language part alone, pieces joined by a blank line, outer white space stripped."""
        pieces = (segment.text.strip() for segment in self.segments if segment.kind == "description")
        return "\n\n".join(pieces)

    @property
    def has_description(self) -> bool:
        return any(segment.kind == "description" for segment in self.segments)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Who wrote a function, and why we think so; the reasons are sentences shown to the person."""

    author: Literal["assistant", "person", "unknown"] = "unknown"
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Module:
    """A document as the module it is when it is imported: what its functions find around them.

    name: dotted, as its package calls it. text: what the document says now, saved or not.
    path: of its file, empty where it has none. roots: folders in which its imports are looked for first.
    """

    name: str
    text: str
    path: str = ""
    roots: tuple[str, ...] = ()


Kind = Literal["function", "method", "class method", "static method", "property", "setter", "deleter", "constructor"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a function stands in its module. name: qualified, as in `Class.method`.

    kind: property is what reads one, setter and deleter what sets and deletes it; constructor is `__new__`.
    """

    module: Module
    name: str
    kind: Kind = "function"

    @property
    def holder(self) -> str:
        """The class it belongs to, empty for a function."""
        return "" if self.kind == "function" else self.name.rpartition(".")[0]

    @property
    def bound(self) -> bool:
        """Is it called on an object, its first argument?"""
        return self.kind in ("method", "property", "setter", "deleter")


@dataclass(frozen=True, slots=True)
class Function:
    """A function of a document.

    name: qualified, as in `Class.method`.
    ordinal: 0 for the first function of that name in the document, 1 for the next, ….
    source: the function's own text, decorators included, dedented to column 0.
    context: what runs before `source` inside the wall and is never sent anywhere: the module's import statements; with
    a place, the definitions it needs, which stand in for a module that cannot be imported.
    span, name_span: where the function and its name stand in the document.
    obstacle: why it cannot be judged, as a sentence without full stop; None where it can.
    place: where it stands in its module; None where it needs nothing of its module but imports of the standard library.
    """

    path: str
    name: str
    ordinal: int
    prompt: Prompt
    source: str
    context: str
    span: Span
    name_span: Span
    obstacle: str | None = None
    provenance: Provenance = Provenance()
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Paraphrase:
    """A rewording of a prompt.

    relation: which metamorphic relation made it ("paraphrase", "resample").
    similarity: between the two descriptions, 0 (nothing shared) to 1 (equal).
    """

    prompt: Prompt
    relation: str
    similarity: float


# --- programs, what goes in and what comes out --------------------------------------------------


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a program came from: the target, or which paraphrase, model and sample."""

    role: Literal["target", "paraphrase"]
    relation: str = ""
    paraphrase: int = 0
    model: str = ""
    sample: int = 0


@dataclass(frozen=True, slots=True)
class Program:
    """Python source that defines `entry_point` when run as a module; it may still fail to.

    place: the module it is put into, and in whose place there; None: it stands alone.
    """

    source: str
    entry_point: str
    origin: Origin
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class NoProgram:
    """A reply that held no usable program, and why; counted, never hidden.

    fault: what a model is told of that when it is asked once more; empty: nothing.
    """

    reason: str
    origin: Origin
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Value:
    """A Python value as data: canonical JSON text, as `mpt.worker.codec` documents it.

    Two Values are `==` when they were spelt alike; whether they are the same *answer* is `mpt.equality`'s to say.
    """

    wire: str


ArgumentsOrigin = Literal["example", "seed", "fuzzed", "shrunk"]


@dataclass(frozen=True, slots=True)
class Arguments:
    """One call's arguments. Two calls are equal when their values are, wherever they came from.

    engine: which fuzzer made it ("afl", "loop"), empty for others.
    """

    positional: tuple[Value, ...]
    keyword: tuple[tuple[str, Value], ...] = ()
    origin: ArgumentsOrigin = field(default="seed", compare=False)
    engine: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Example:
    """An input the docstring shows; `expected` is what it says comes back, None where that cannot be read.

    raises: the exception's type name where the docstring shows one.
    iterated: it shows what iterating over the answer gives (`list(f(x))`), not the answer itself.
    """

    arguments: Arguments
    expected: Value | None = None
    raises: str | None = None
    iterated: bool = False


@dataclass(frozen=True, slots=True)
class Returned:
    """The call returned. `arguments_after` are the positional, then keyword arguments as the call left them.

    state_after: names of its module, and attributes of its classes, that the call has changed, with what they hold.
    """

    value: Value
    arguments_after: tuple[Value, ...] = ()
    state_after: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True)
class Raised:
    """The call raised. The message is bounded and unescaped: escape it before showing."""

    type_name: str
    message: str = ""


StopCause = Literal["time", "memory", "recursion", "exit", "crash", "load", "blocked", "output"]


@dataclass(frozen=True, slots=True)
class Stopped:
    """The call did not end by itself, so it tells nothing.

    time, memory, recursion: a limit. exit: it ended its own process. crash: a signal. blocked: the wall stopped it.
    output: it returned more than the channel carries. load: the program itself could not be loaded (`detail` says why).
    """

    cause: StopCause
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Importing:
    """What came of importing a module behind the wall.

    failure: why it could not be, in one line; None where it could. notes: what importing did besides, a clause each.
    absent: packages whose types we know, and that are not installed there.
    untold: of plugins whose data function cannot be read there, a sentence each.
    """

    failure: str | None = None
    notes: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    untold: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Opaque:
    """The call returned something that cannot be carried as data: never equal, never a difference."""

    type_name: str


Outcome = Returned | Raised | Stopped | Opaque


@dataclass(frozen=True, slots=True)
class Run:
    """What one program did: an outcome an input, and the beginning of what it printed, unescaped.

    cpu_s: CPU seconds it used.
    """

    outcomes: tuple[Outcome, ...]
    stdout: str = ""
    stderr: str = ""
    cpu_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Shape:
    """What one parameter may be: a small tree, read by `mpt.worker.shapes` as JSON.

    kind: none, bool, int, float, complex, str, bytes, list, tuple, set, frozenset, dict, union, literal, call.
    items: element shapes. list, set, frozenset: one; tuple: one each; dict: key, value; union: the choices; call: one
    an argument.
    low, high: inclusive bounds of a number, or of a length for str, bytes and containers; None: not known.
    samples: values seen for it in examples, to start from and to splice; for `literal` the only choices.
    call: of kind call, Python text of what is called to make the value, often a class's name.
    names: of kind call, the arguments' names; an empty one is passed by position.
    """

    kind: str
    items: tuple[Shape, ...] = ()
    low: float | None = None
    high: float | None = None
    samples: tuple[Value, ...] = ()
    call: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ForeignType:
    """A class of another package: how values of it are made, told as data, and compared.

    name: its module and its own name, "shapely.geometry.Point". It counts where that package is installed.
    makes: what makes values: Python texts, in which modules are called by their full names, or a Shape.
    data: a function of one value that gives what counts of it as plain builtin data. Its source text is sent behind the
    wall and runs there, on the document's Python: it must stand alone, and import what it needs itself. None: by
    what the value holds.
    same: of two such data, whether the values are the same answer; None: cannot tell. Runs in mpt's own process. Where
    there is none, data are compared as all values are.
    source, rule: the source texts of `data` and `same`; filled in where they are loaded.
    """

    name: str
    makes: tuple[str, ...] | Shape
    data: Callable[[Any], object] | None = None
    same: Callable[[Any, Any], bool | None] | None = None
    source: str = ""
    rule: str = ""

    @property
    def package(self) -> str:
        """What is installed: the name's first part."""
        return self.name.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter to be filled: by position, or by name where `keyword`."""

    name: str
    shape: Shape
    keyword: bool = False


# --- what was seen, and what it means -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Evidence:
    """What every program did on every input: `outcomes[p][i]`. Row 0 is the target.

    printed: the beginning of what each program printed on all inputs, unescaped; empty where nobody kept it.
    """

    programs: tuple[Program, ...]
    inputs: tuple[Arguments, ...]
    outcomes: tuple[tuple[Outcome, ...], ...]
    examples: tuple[Example, ...] = ()
    printed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.outcomes) != len(self.programs):
            raise ValueError("one row of outcomes a program")
        if any(len(row) != len(self.inputs) for row in self.outcomes):
            raise ValueError("one outcome an input in every row")

    @property
    def target(self) -> tuple[Outcome, ...]:
        return self.outcomes[0]

    @property
    def others(self) -> tuple[tuple[Outcome, ...], ...]:
        return self.outcomes[1:]


@dataclass(frozen=True, slots=True)
class Answer:
    """One outcome and the paraphrase programs (indices into Evidence.programs) that gave it."""

    outcome: Outcome
    programs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An input on which the target and paraphrase programs differ; `others` most frequent first."""

    arguments: Arguments
    target: Outcome
    others: tuple[Answer, ...]


Status = Literal["CONSISTENT", "INCONSISTENT", "AMBIGUOUS", "INCONCLUSIVE"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement on one function.

    reason: one sentence. disagreements: the smallest first.
    agreement: share of comparable paraphrase programs that never differ from the target; None: nothing compared.
    doubtful_examples: docstring examples that most programs contradict.
    probability: that the function is wrong, where the policy is calibrated to say so.
    """

    status: Status
    reason: str
    disagreements: tuple[Disagreement, ...] = ()
    agreement: float | None = None
    doubtful_examples: tuple[Example, ...] = ()
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class Spent:
    """What a check cost. Calls and tokens are those really asked for now; what was kept or recorded costs nothing."""

    seconds: float = 0.0
    llm_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    executions: int = 0

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True, slots=True)
class Report:
    """Everything about one check. `evidence` is None where nothing ran.

    missing: the programs that were asked for and not had, each with its reason.
    notes: what the person should know about how it was done (a fuzzer that broke, inputs dropped), a sentence each.
    """

    function: Function
    verdict: Verdict
    evidence: Evidence | None = None
    paraphrases: tuple[Paraphrase, ...] = ()
    missing: tuple[NoProgram, ...] = ()
    notes: tuple[str, ...] = ()
    spent: Spent = Spent()


# --- asking a language model --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Request:
    """One chat completion. Everything here is part of the key under which its reply is kept.

    sample: 0, 1, … tells apart several replies wanted for the same messages.
    template: version of the wording, so that a new wording is a new request.
    """

    messages: tuple[Message, ...]
    temperature: float
    max_tokens: int
    template: str
    sample: int = 0
    stop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. `fresh` is False where it was kept or recorded, and so cost nothing now."""

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    fresh: bool = True


# --- limits -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on running programs: seconds and bytes. check_s: all programs of one run together, by the wall clock."""

    load_s: float = 5.0
    input_s: float = 1.0
    program_s: float = 10.0
    check_s: float = 120.0
    memory_bytes: int = 1 << 30
    output_bytes: int = 1 << 20

    def __post_init__(self) -> None:
        for name in ("load_s", "input_s", "program_s", "check_s", "memory_bytes", "output_bytes"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be more than 0")


@dataclass(frozen=True, slots=True)
class Campaign:
    """What one fuzzing of a target is about.

    seeds: inputs there are already; the engine starts from them and never hands them out again.
    others: the paraphrase programs; inputs that split them are worth more.
    precondition: a program that says of arguments whether the function is for them; others are not handed out.
    corpus: earlier finds; tried first, and handed out where they are still among the best.
    """

    target: Program
    parameters: tuple[Parameter, ...]
    seeds: tuple[Arguments, ...] = ()
    others: tuple[Program, ...] = ()
    precondition: Program | None = None
    corpus: tuple[Arguments, ...] = ()


@dataclass(frozen=True, slots=True)
class FuzzBudget:
    """How long to fuzz: the in-process loop counts executions, AFL counts seconds."""

    inputs: int = 20
    executions: int = 300
    seconds: float = 5.0
    seed: int = 0

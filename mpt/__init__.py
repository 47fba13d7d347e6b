"""Metamorphic prompt testing: is the function an assistant wrote the one its docstring asks for?

Wang & Zhu, *Validating LLM-Generated Programs with Metamorphic Prompt Testing*, arXiv 2406.06864. The way of the data:

    document text
       │ source.find_functions                   pure, survives syntax errors elsewhere in the file
       ▼
    Function ──────── its Prompt ────────┐
       │                                 │ relations.*   Prompt → reworded Prompts        LanguageModel
       │                                 ▼
       │                            Paraphrases          signature and examples untouched
       │ its own source                  │ codegen       Prompt → Program                 LanguageModel
       ▼                                 ▼
    target Program ─────► Programs ◄── paraphrase Programs
                             │ inputs (examples, types) → fuzzing of the target            Fuzzer
                             ▼
                         Arguments …     distinct, ordered: examples, seeds, fuzzed
                             │ run every program on every input                            Sandbox
                             ▼
                         Evidence        outcomes[program][input], row 0 is the target
                             │ validation.judge, equality.same                             pure
                             ▼
                         Verdict ─► Report ─► text, JSON, … (cli) · diagnostics, code actions (mpt_server)

`pipeline.check` is this picture as code; `values` holds the nouns, `ports` what the outside must offer, `adapters`
those who offer it, `wiring` who is chosen, `worker` what runs inside the sandbox.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """`mpt.check` and `mpt.evaluate` (see mpt.library), imported when asked for: the core does not know them."""
    if name in ("check", "evaluate"):
        return getattr(import_module("mpt.library"), name)
    raise AttributeError(f"module 'mpt' has no attribute {name!r}")

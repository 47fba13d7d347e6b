"""How functions come to be. Each scenario ends with the truth: which functions an assistant wrote, by name."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

Truth = dict[str, bool]

HEADER = "import math\n\n\n"
MEAN = '''def mean(numbers):
    """Gives the mean of the numbers, 0 where there are none."""
    if not numbers:
        return 0
    total = sum(numbers)
    return total / len(numbers)
'''
MEDIAN_HEAD = '''def median(numbers):
    """Gives the median of the numbers."""
'''
MEDIAN_BODY = """    ordered = sorted(numbers)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2"""
MEDIAN = MEDIAN_HEAD + MEDIAN_BODY + "\n"
TYPED_BODY = "ordered = sorted(numbers)\nmiddle = len(ordered) // 2\nreturn ordered[middle]"
SPREAD = '''def spread(numbers):
    """Gives the distance between the largest and the smallest number."""
    smallest = min(numbers)
    largest = max(numbers)
    return largest - smallest
'''


def start(editor: Any, text: str = HEADER + MEAN) -> None:
    (editor.folder / "app.py").write_text(text)
    editor.commit("begin")
    editor.open()


def body_place(editor: Any, text: str = HEADER + MEAN + "\n\n" + MEDIAN_HEAD) -> None:
    """In insert mode, in an empty body under a docstring."""
    start(editor, text)
    editor.keys("Go")
    editor.keys("<Esc>0C    ")


# --- a person types -------------------------------------------------------------------------------


def typed_function(editor: Any) -> Truth:
    """A person types a function, its docstring first."""
    start(editor)
    editor.at_end()
    editor.type('\n\ndef double(number):\n"""Doubles it."""\nresult = number * 2\nreturn result')
    return {"mean": False, "double": False}


def typed_body(editor: Any) -> Truth:
    """A person types the body under a docstring that was there."""
    body_place(editor)
    editor.type(TYPED_BODY)
    return {"mean": False, "median": False}


def typed_fast(editor: Any) -> Truth:
    """A fast typist."""
    body_place(editor)
    editor.type(TYPED_BODY, speed=15)
    return {"median": False}


def typed_with_corrections(editor: Any) -> Truth:
    """Backspaces, deleted words, second thoughts."""
    body_place(editor)
    editor.type("ordred")
    for _ in range(3):
        editor.keys("<BS>", 0.1)
    editor.type("ered = sorted(numbers)\nmidle = len(numbers")
    editor.keys("<C-w>")
    editor.type("ordered) // 2\nreturn ordered[midle]")
    editor.keys("<Esc>?midle =<CR>")
    editor.keys("cwmiddle<Esc>")
    editor.keys("jf[lcwmiddle<Esc>")
    return {"median": False}


def typed_with_words_completed(editor: Any) -> Truth:
    """The editor's own keyword completion finishes names."""
    body_place(editor)
    editor.type("ordered = sorted(num")
    editor.keys("<C-n>")
    editor.type(")\nmiddle = len(ord")
    editor.keys("<C-n>")
    editor.type(") // 2\nreturn ord")
    editor.keys("<C-n>")
    editor.type("[mid")
    editor.keys("<C-n>")
    editor.type("]")
    return {"median": False}


def typed_out_of_order(editor: Any) -> Truth:
    """Up and down the function, lines opened above and below."""
    body_place(editor)
    editor.type("return ordered[middle]")
    editor.keys("<Esc>O")
    editor.type("middle = len(ordered) // 2")
    editor.keys("<Esc>O")
    editor.type("ordered = sorted(numbers)")
    return {"median": False}


def typed_docstring_by_a_tool(editor: Any) -> Truth:
    """A docstring generator puts the docstring, a person typed the body before."""
    start(editor, HEADER + MEAN + "\n\ndef double(number):\n")
    editor.keys("Go")
    editor.keys("<Esc>0C    ")
    editor.type("result = number * 2\nreturn result")
    editor.keys("<Esc>")
    editor.workspace_edit(
        (12, 0, 12, 0, '    """Doubles a number.\n\n    Args:\n        number: the number to double.\n    """\n')
    )
    return {"double": False}


def typed_then_repeated(editor: Any) -> Truth:
    """A person types, then changes a name everywhere with one substitution."""
    body_place(editor)
    editor.type(TYPED_BODY)
    editor.keys("<Esc>:%s/middle/half/g<CR>")
    return {"median": False}


def typed_snippet_then_body(editor: Any) -> Truth:
    """A snippet makes the frame, a person types the body."""
    start(editor)
    editor.at_end()
    snippet = '\n\ndef double(number):\n    """Doubles it."""\n    pass'
    editor.nvim.exec_lua("vim.snippet.expand(...)", snippet)
    time.sleep(0.3)
    editor.keys("<Esc>")
    editor.keys("cc")
    editor.type("result = number * 2\nif result < 0:\nreturn 0\nreturn result")
    return {"double": False}


def typed_with_loop_snippet(editor: Any) -> Truth:
    """A snippet for a loop within a typed body."""
    body_place(editor)
    editor.type("found = []\nordered = sorted(numbers)\n")
    editor.nvim.exec_lua("vim.snippet.expand(...)", "for number in numbers:\n    pass")
    time.sleep(0.3)
    editor.keys("<Esc>")
    editor.keys("ccfound.append(number)<Esc>", 0.6)
    editor.keys("o<BS>")
    editor.type("middle = len(found) // 2\nfound.sort()\nreturn found[middle]")
    return {"median": False}


def typed_then_formatted_by_another_program(editor: Any) -> Truth:
    """Saved, then a formatter rewrites the file and the editor reads it again."""
    body_place(editor)
    editor.type("ordered = sorted( numbers )\nmiddle = len( ordered )//2\nreturn ordered[ middle ]")
    editor.keys("<Esc>")
    editor.save()
    text = (
        editor.text()
        .replace("( ", "(")
        .replace(" )", ")")
        .replace("[ ", "[")
        .replace(" ]", "]")
        .replace(")//2", ") // 2")
    )
    editor.on_disk(text)
    return {"median": False}


# --- inline completions ---------------------------------------------------------------------------


def completion_body(editor: Any) -> Truth:
    """A body in one completion under a docstring."""
    body_place(editor)
    editor.put(MEDIAN_BODY.lstrip())
    return {"mean": False, "median": True}


def completion_function(editor: Any) -> Truth:
    """A whole documented function in one completion."""
    start(editor)
    editor.at_end()
    editor.put("\n\n" + MEDIAN)
    return {"mean": False, "median": True}


def completion_one_line(editor: Any) -> Truth:
    """A body of one line in one completion."""
    body_place(editor)
    editor.put("return sorted(numbers)[len(numbers) // 2]")
    return {"median": True}


def completion_after_first_word(editor: Any) -> Truth:
    """A person begins the line, the completion goes on from there."""
    body_place(editor)
    editor.type("ord")
    editor.put(MEDIAN_BODY.lstrip()[3:])
    return {"median": True}


def completion_signature_typed(editor: Any) -> Truth:
    """A person types signature and docstring, the completion the body."""
    start(editor)
    editor.at_end()
    editor.type('\n\ndef median(numbers):\n"""Gives the median."""\n')
    editor.put(MEDIAN_BODY.lstrip())
    return {"median": True}


def completion_line_by_line(editor: Any) -> Truth:
    """Accepted a line at a time."""
    body_place(editor)
    for number, line in enumerate(MEDIAN_BODY.lstrip().split("\n")):
        editor.put(line if number == 0 else "\n" + line)
        time.sleep(0.6)
    return {"median": True}


def completion_word_by_word(editor: Any) -> Truth:
    """Accepted a word at a time, at the pace of somebody who reads them."""
    body_place(editor)
    for word in MEDIAN_BODY.lstrip().replace(" ", "\0 ").split("\0"):
        editor.put(word)
        time.sleep(0.35)
    return {"median": True}


def completion_then_edited(editor: Any) -> Truth:
    """A person changes a detail of a completion."""
    body_place(editor)
    editor.put(MEDIAN_BODY.lstrip())
    editor.keys("<Esc>?middle - 1<CR>")
    editor.keys("wwcw2<Esc>", 0.5)
    return {"median": True}


def completion_mostly_rewritten(editor: Any) -> Truth:
    """A person throws most of a completion away and types their own."""
    body_place(editor)
    editor.put(MEDIAN_BODY.lstrip())
    editor.keys("<Esc>")
    editor.keys("3kdG", 0.5)
    editor.keys("o")
    editor.type("half = 0\nfor number in ordered:\nhalf += 1\n")
    editor.keys("<BS>")
    editor.type("half //= 2\nprint(half)\nreturn ordered[half]")
    return {"median": False}


def completion_undone_and_typed(editor: Any) -> Truth:
    """A completion is taken back, a person types the body."""
    body_place(editor)
    editor.keys("<Esc>A")
    editor.put(MEDIAN_BODY.lstrip())
    editor.keys("<Esc>u", 0.5)
    editor.keys("Go<Esc>0C    ", 0.5)
    editor.type("total = sum(numbers)\ncount = len(numbers)\nreturn total // count")
    return {"median": False}


def completion_undone_and_redone(editor: Any) -> Truth:
    """A completion is taken back and comes again."""
    body_place(editor)
    editor.keys("<Esc>A")
    editor.put(MEDIAN_BODY.lstrip())
    editor.keys("<Esc>u", 0.6)
    editor.keys("<C-r>", 0.6)
    return {"median": True}


def completion_formatted(editor: Any) -> Truth:
    """A completion, then the formatter over the whole file."""
    body_place(editor)
    editor.put("ordered = sorted( numbers )\n    middle = len( ordered )//2\n    return ordered[ middle ]")
    editor.keys("<Esc>")
    editor.keys(":%s/( /(/ge | %s/ )/)/ge | %s/\\[ /[/ge | %s/ \\]/]/ge<CR>", 0.6)
    return {"mean": False, "median": True}


def streamed_body(editor: Any) -> Truth:
    """An assistant writes token by token at the cursor."""
    body_place(editor)
    for token in MEDIAN_BODY.lstrip().replace(" ", "\0 ").replace("(", "\0(").split("\0"):
        editor.put(token)
        time.sleep(0.03)
    return {"median": True}


# --- agents ---------------------------------------------------------------------------------------


def agent_fills_body(editor: Any) -> Truth:
    """A workspace edit puts a body in the place of `pass`."""
    start(editor, HEADER + MEAN + "\n\n" + MEDIAN_HEAD + "    pass\n")
    editor.workspace_edit((13, 0, 13, 8, MEDIAN_BODY))
    return {"mean": False, "median": True}


def agent_writes_two(editor: Any) -> Truth:
    """One workspace edit brings two functions, around a person's."""
    start(editor)
    editor.workspace_edit((2, 0, 2, 0, MEDIAN + "\n\n"), (9, 0, 9, 0, "\n\n" + SPREAD))
    return {"mean": False, "median": True, "spread": True}


def agent_on_disk(editor: Any) -> Truth:
    """An agent writes the file, the editor reads it again."""
    start(editor)
    editor.on_disk(HEADER + MEAN + "\n\n" + MEDIAN)
    return {"mean": False, "median": True}


def agent_on_disk_several_places(editor: Any) -> Truth:
    """An agent adds functions before and behind a person's, and an import."""
    start(editor, HEADER + MEAN + "\n\n" + "LIMIT = 3\n")
    editor.on_disk(
        "import math\nimport statistics\n\n\n" + SPREAD + "\n\n" + MEAN + "\n\n" + MEDIAN + "\n\nLIMIT = 3\n"
    )
    return {"mean": False, "median": True, "spread": True}


def agent_rewrites(editor: Any) -> Truth:
    """An agent rewrites a person's function on disk."""
    start(editor)
    editor.on_disk(
        HEADER + 'def mean(numbers):\n    """Gives the mean of the numbers, 0 where there are none."""\n'
        "    count = 0\n    accumulated = 0.0\n    for number in numbers:\n        count += 1\n"
        "        accumulated += number\n    return accumulated / count if count else 0\n"
    )
    return {"mean": True}


def agent_mends_one_line(editor: Any) -> Truth:
    """An agent changes one line of a person's function on disk."""
    start(editor)
    editor.on_disk((HEADER + MEAN).replace("return 0", "return math.nan"))
    return {"mean": False}


# --- paste, move, copy ----------------------------------------------------------------------------


def pasted_from_chat(editor: Any) -> Truth:
    """A documented function is pasted that was nowhere before."""
    start(editor)
    editor.at_end()
    editor.paste("\n\n" + MEDIAN)
    return {"mean": False, "median": True}


def moved_by_the_person(editor: Any) -> Truth:
    """A person's function is cut and put elsewhere."""
    start(editor, HEADER + MEAN + "\n\n" + SPREAD)
    editor.keys("4Gd6j", 0.5)
    editor.keys("Go<Esc>p", 0.5)
    return {"mean": False, "spread": False}


def copied_by_the_person(editor: Any) -> Truth:
    """A person's function is copied and changed by hand."""
    start(editor)
    editor.keys("4Gy6jGo<Esc>o<Esc>p", 0.6)
    editor.keys("?def mean<CR>")
    editor.keys("wcwaverage<Esc>", 0.5)
    return {"mean": False, "average": False}


def moved_completion(editor: Any) -> Truth:
    """An assistant's function is cut and put elsewhere."""
    start(editor)
    editor.at_end()
    editor.put("\n\n" + MEDIAN)
    editor.keys("<Esc>?def median<CR>", 0.5)
    editor.keys("d6j", 0.5)
    editor.keys("ggjp", 0.6)
    return {"mean": False, "median": True}


def pasted_from_another_file(editor: Any) -> Truth:
    """A person's function comes from another open file."""
    (editor.folder / "other.py").write_text(MEDIAN)
    start(editor)
    editor.open("other.py")
    editor.keys("ggyG")
    editor.nvim.command("buffer app.py")
    editor.keys("Go<Esc>p", 0.6)
    return {"mean": False, "median": False}


# --- formatting and refactoring -------------------------------------------------------------------


def formatted(editor: Any) -> Truth:
    """A formatter joins, splits and respaces a person's lines."""
    loose = MEAN.replace("total = sum(numbers)", "total = sum( numbers )").replace("    ", "  ")
    start(editor, HEADER + loose + "\n\n" + SPREAD.replace("min(numbers)", "min(\n        numbers,\n    )"))
    tight = HEADER + MEAN + "\n\n" + SPREAD
    lines = len(editor.text().split("\n"))
    editor.workspace_edit((0, 0, lines, 0, tight))
    return {"mean": False, "spread": False}


def formatted_on_disk(editor: Any) -> Truth:
    """A formatter rewrites the file behind the editor."""
    start(editor, HEADER + MEAN.replace("    ", "  ") + "\n\n" + SPREAD.replace('"', "'"))
    editor.on_disk(HEADER + MEAN + "\n\n" + SPREAD)
    return {"mean": False, "spread": False}


def imports_sorted(editor: Any) -> Truth:
    """Imports are sorted and one is added."""
    start(editor, "import sys\nimport math\n\n\n" + MEAN)
    editor.workspace_edit((0, 0, 2, 0, "import math\nimport os\nimport sys\n"))
    return {"mean": False}


def renamed(editor: Any) -> Truth:
    """A name is changed everywhere by a rename."""
    start(editor)
    editor.workspace_edit((7, 4, 7, 9, "whole"), (8, 11, 8, 16, "whole"))
    return {"mean": False}


def extracted(editor: Any) -> Truth:
    """Part of a person's function becomes a function of its own; a person types its docstring."""
    start(editor)
    body = "    total = sum(numbers)\n    return total / len(numbers)\n"
    editor.workspace_edit(
        (3, 0, 3, 0, "def divided(numbers):\n" + body + "\n\n"), (7, 0, 9, 0, "    return divided(numbers)\n")
    )
    editor.keys("4Go")
    editor.type('"""Gives the sum by the count."""')
    return {"mean": False, "divided": False}


def surrounded(editor: Any) -> Truth:
    """A body is put into a try statement."""
    start(editor)
    inner = "    try:\n        total = sum(numbers)\n        return total / len(numbers)\n"
    editor.workspace_edit((7, 0, 9, 0, inner + "    except TypeError:\n        return 0\n"))
    return {"mean": False}


def commented_out_and_in(editor: Any) -> Truth:
    """A function is commented out and in again."""
    start(editor)
    editor.keys(":4,9s/^/# /<CR>", 0.6)
    editor.keys(":4,9s/^# //<CR>", 0.6)
    return {"mean": False}


def wrapped_in_a_class(editor: Any) -> Truth:
    """A function is indented and becomes a method."""
    start(editor)
    editor.keys(":4,9><CR>", 0.6)
    editor.keys("4GOclass Numbers:<Esc>", 0.6)
    return {"Numbers.mean": False}


# --- undo -----------------------------------------------------------------------------------------


def deleted_and_undone(editor: Any) -> Truth:
    """A person's function is deleted and comes back."""
    start(editor)
    editor.keys("4Gd6j", 0.5)
    editor.keys("u", 0.6)
    return {"mean": False}


def typed_deleted_and_undone(editor: Any) -> Truth:
    """A typed body is deleted and comes back."""
    body_place(editor)
    editor.type(TYPED_BODY)
    editor.keys("<Esc>", 0.6)
    editor.keys("2kd2j", 0.6)
    editor.keys("u", 0.6)
    return {"median": False}


# --- git ------------------------------------------------------------------------------------------


def branch_switched(editor: Any) -> Truth:
    """Another branch has another version of the function, and one more."""
    (editor.folder / "app.py").write_text(HEADER + MEAN)
    editor.commit()
    editor.git("checkout", "-qb", "other")
    (editor.folder / "app.py").write_text(HEADER + SPREAD + "\n\n" + MEDIAN)
    editor.commit()
    editor.git("checkout", "-q", "main")
    editor.open()
    editor.git("checkout", "-q", "other")
    editor.reload()
    return {"median": False, "spread": False}


def merged(editor: Any) -> Truth:
    """A merge brings a function."""
    (editor.folder / "app.py").write_text(HEADER + MEAN)
    editor.commit()
    editor.git("checkout", "-qb", "other")
    (editor.folder / "app.py").write_text(HEADER + MEAN + "\n\n" + MEDIAN)
    editor.commit()
    editor.git("checkout", "-q", "main")
    (editor.folder / "app.py").write_text(HEADER + SPREAD + "\n\n" + MEAN)
    editor.commit()
    editor.open()
    editor.git("merge", "-q", "other", "-m", "merge")
    editor.reload()
    return {"mean": False, "median": False, "spread": False}


def merged_with_conflict(editor: Any) -> Truth:
    """A merge stops at a conflict, a person takes the incoming side."""
    (editor.folder / "app.py").write_text(HEADER + MEAN)
    editor.commit()
    editor.git("checkout", "-qb", "other")
    (editor.folder / "app.py").write_text(HEADER + MEDIAN)
    editor.commit()
    editor.git("checkout", "-q", "main")
    (editor.folder / "app.py").write_text(HEADER + SPREAD)
    editor.commit()
    editor.open()
    editor.git("merge", "-q", "other", "-m", "merge")
    editor.reload()
    editor.nvim.command("g/^<<<<<<< /,/^=======$/d")
    time.sleep(0.6)
    editor.nvim.command("g/^>>>>>>> /d")
    time.sleep(0.6)
    return {"median": False}


def stashed_and_back(editor: Any) -> Truth:
    """A person's uncommitted function goes to the stash and comes back."""
    (editor.folder / "app.py").write_text(HEADER + MEAN)
    editor.commit()
    (editor.folder / "app.py").write_text(HEADER + MEAN + "\n\n" + SPREAD)
    editor.git("stash", "-q")
    editor.open()
    editor.git("stash", "apply", "-q")
    editor.reload()
    return {"mean": False, "spread": False}


def discarded(editor: Any) -> Truth:
    """Uncommitted changes are thrown away by a checkout of the file."""
    (editor.folder / "app.py").write_text(HEADER + MEAN + "\n\n" + SPREAD)
    editor.commit()
    (editor.folder / "app.py").write_text(HEADER + MEAN)
    editor.open()
    editor.git("checkout", "-q", "--", "app.py")
    editor.reload()
    return {"mean": False, "spread": False}


def pulled(editor: Any) -> Truth:
    """The branch moves on to a commit of somebody else's."""
    (editor.folder / "app.py").write_text(HEADER + MEAN)
    editor.commit()
    editor.git("checkout", "-qb", "theirs")
    (editor.folder / "app.py").write_text(HEADER + MEAN + "\n\n" + MEDIAN)
    editor.commit()
    editor.git("checkout", "-q", "main")
    editor.open()
    editor.git("merge", "-q", "--ff-only", "theirs")
    editor.reload()
    return {"median": False}


ALL: list[Callable[[Any], Truth]] = [
    value
    for name, value in globals().items()
    if callable(value)
    and getattr(value, "__module__", "") == __name__
    and name not in ("start", "body_place")
    and not name.startswith("_")
]

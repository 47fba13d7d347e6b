"""Everything that can be wrong: one clear line, the right exit code, the store intact."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from chat_server import refusal
from command_line import FAST, RIGHT, WRONG, Home, home_with_model, scripted

NO_MODEL = "nobody@http://127.0.0.1:9/v1"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["none.py"], "none.py: no such file or folder"),
        (["empty"], "empty: no Python file in this folder"),
        (["latin.py"], "latin.py: not UTF-8 (byte 1)"),
        (["a.py::nope"], "a.py: no function 'nope' (it has: double)"),
        (["empty::f"], "name the file"),
        (["a.py", "--policy", "magic"], "'policy' is one of default, consensus, majority, conservative"),
        (["a.py", "--paraphrases", "0"], "'paraphrases' is from 1 to 50"),
        (["a.py", "--sandbox", "paper"], "'sandbox' is one of"),
        (["a.py", "--llm", "@http://127.0.0.1:1"], "'llm' is"),
        (["a.py", "--python", "no/such/python"], "no/such/python"),
        (["a.py", "--replay", "nothing"], "holds no recording"),
        (["a.py", "--record", "x", "--replay", "y"], "cannot be used together"),
        (["a.py", "--frobnicate"], "No such option"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(tmp_path: Path, arguments: list[str], says: str) -> None:
    home = Home(tmp_path, llm=NO_MODEL)
    home.write("a.py", RIGHT)
    home.write("latin.py", b"#\xe9\n")
    (home.project / "empty").mkdir()
    ran = home.run("check", *arguments)
    assert ran.code == 2
    assert says in ran.error_line


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def f(x):\n    return x\n", "docstring"),
        ('def f(x):\n    """\n    >>> f(1)\n    1\n    """\n    return x\n', "description"),
        ('def f(x: int):\n    """Return it."""\n    return (x\n\n\ndef g():\n    pass\n', "syntax error"),
        (
            'import no_such\n\n\ndef f(x: int):\n    """Return it."""\n    return no_such.f(x)\n',
            "No module named 'no_such'",
        ),
        ('def g(y):\n    def f(x):\n        """Return it."""\n        return x + y\n', "uses its name 'y'"),
        ('class A:\n    @g.setter\n    def f(self, x):\n        """Return it."""\n', "name 'g' is not defined"),
        ('def f(handle: "Socket"):\n    """Send it."""\n    handle.send(b"")\n', "handle"),
    ],
)
def test_what_cannot_be_judged_is_inconclusive_with_its_reason_and_exit_code_3(
    tmp_path: Path, text: str, says: str
) -> None:
    home = Home(tmp_path, llm=NO_MODEL)
    home.write("a.py", text)
    name = "A.f" if "class" in text else "g.f" if "def g(y)" in text else "f"
    ran = home.run("check", f"a.py::{name}", *FAST)
    assert ran.code == 3, ran.err
    [function] = ran.functions
    assert function["status"] == "INCONCLUSIVE"
    assert says in function["reason"]


def test_a_file_without_a_documented_function_is_said_and_exit_code_3(tmp_path: Path) -> None:
    home = Home(tmp_path, llm=NO_MODEL)
    home.write("a.py", "def f(x):\n    return x\n")
    ran = home.run("check", "a.py")
    assert ran.code == 3
    assert "passed over 1 function" in ran.err


def test_a_broken_file_elsewhere_is_no_obstacle(tmp_path: Path) -> None:
    with home_with_model(tmp_path) as (home, _):
        home.write("a.py", "def broken(:\n    pass\n\n\n" + WRONG)
        ran = home.run("check", "a.py::double", *FAST)
    assert (ran.code, ran.functions[0]["status"]) == (1, "INCONSISTENT")


def test_a_file_in_another_encoding_and_one_with_a_byte_order_mark(tmp_path: Path) -> None:
    with home_with_model(tmp_path) as (home, _):
        home.write("latin.py", b"# -*- coding: latin-1 -*-\n# \xe9\n" + WRONG.encode())
        home.write("mark.py", b"\xef\xbb\xbf" + WRONG.encode())
        ran = home.run("check", "latin.py", "mark.py", *FAST)
    assert [function["status"] for function in ran.functions] == ["INCONSISTENT"] * 2


def test_a_refused_key_is_one_line_and_ends_the_run(tmp_path: Path) -> None:
    with home_with_model(tmp_path, lambda asked: refusal(401, "bad key")) as (home, server):
        home.env["MPT_API_KEY"] = "sk-very-secret"
        home.write("a.py", RIGHT + "\n\n" + RIGHT.replace("double", "twofold"))
        ran = home.run("check", "a.py", *FAST)
        assert len(server.asked) <= 5  # the first batch and nothing after it
    assert ran.code == 2
    assert "401" in ran.error_line
    assert "sk-very-secret" not in ran.err + ran.out
    assert {function["status"] for function in ran.functions} == {"INCONCLUSIVE"}


def test_an_unreachable_model_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    home = Home(tmp_path, llm=f"m@http://127.0.0.1:{port}/v1")
    home.write("a.py", RIGHT)
    ran = home.run("check", "a.py")
    assert ran.code == 2
    assert f"http://127.0.0.1:{port}/v1" in ran.error_line


def test_a_model_that_answers_prose_is_inconclusive(tmp_path: Path) -> None:
    with home_with_model(tmp_path, scripted(program="I would rather not.")) as (home, _):
        home.write("a.py", RIGHT)
        ran = home.run("check", "a.py", *FAST)
    assert ran.code == 3
    assert "0 of 5 replies held a program" in ran.functions[0]["reason"]
    assert len(ran.functions[0]["missing"]) == 5


def test_without_the_embedded_model_one_message_names_the_two_ways(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.write("a.py", RIGHT)
    line = home.run("check", "a.py").error_line
    assert "mpt llm pull" in line
    assert "--llm" in line


def test_a_half_downloaded_model_is_said_to_be_that(tmp_path: Path) -> None:
    from mpt.adapters.embedded_download import QWEN

    home = Home(tmp_path)
    models = tmp_path / "cache" / "mpt" / "models"
    models.mkdir(parents=True)
    (models / QWEN.name).write_bytes(b"GGUF" * 100)
    home.write("a.py", RIGHT)
    ran = home.run("check", "a.py")
    assert ran.code == 2
    assert "damaged (400 of" in ran.error_line


def test_a_key_in_the_environment_chooses_no_model(tmp_path: Path) -> None:
    home = Home(tmp_path, env={"OPENAI_API_KEY": "sk-secret", "MPT_API_KEY": "sk-secret"})
    home.write("a.py", RIGHT)
    ran = home.run("check", "a.py")
    assert ran.code == 2
    assert "mpt llm pull" in ran.error_line


def test_a_spent_budget_sends_nothing_more(tmp_path: Path) -> None:
    with home_with_model(tmp_path) as (home, server):
        home.write("a.py", RIGHT)
        home.settings("max_calls_per_day = 7\n")
        ran = home.run("check", "a.py", *FAST)
        assert len(server.asked) == 5
        again = home.run("check", "a.py", *FAST, "--max-calls-per-day", "10")
        assert len(server.asked) == 10
    assert ran.code == 2
    assert "max_calls_per_day" in ran.error_line
    assert (again.code, again.functions[0]["status"]) == (0, "CONSISTENT")


def test_a_repository_cannot_choose_the_model_the_interpreter_or_the_sandbox(tmp_path: Path) -> None:
    with home_with_model(tmp_path) as (home, server):
        with home_with_model(tmp_path) as (_, evil):
            home.write(
                "pyproject.toml",
                f'[tool.mpt]\nllm = "evil@{evil.url}"\nbase_url = "{evil.url}"\nmodel = "evil"\n'
                'python = "./evil"\nsandbox = "none"\nmax_calls_per_day = 99999\n',
            )
            evil_python = home.write("evil", f"#!/bin/sh\ntouch {tmp_path}/ran\n")
            evil_python.chmod(0o755)
            home.write("a.py", WRONG)
            ran = home.run("check", "a.py", *FAST)
            assert evil.asked == []
        assert len(server.asked) == 10
    assert ran.code == 1
    assert not (tmp_path / "ran").exists()
    warnings = [line for line in ran.err.splitlines() if line.startswith("warning: ")]
    assert len(warnings) == 6
    assert sum("cannot be set by a project" in line for line in warnings) == 4


def test_no_wall_refuses_to_run_until_the_person_says_none(tmp_path: Path) -> None:
    with home_with_model(tmp_path) as (home, server):
        home.env["PATH"] = str(tmp_path / "nothing")
        home.write("a.py", WRONG)
        refused = home.run("check", "a.py", *FAST, "--sandbox", "bubblewrap")
        assert server.asked == []
        told = home.run("check", "a.py", *FAST, "--sandbox", "none")
    assert refused.code == 2
    assert "bubblewrap" in refused.error_line
    assert told.code == 1, told.err


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_a_full_disk_is_one_line_and_the_store_stays_whole(tmp_path: Path) -> None:
    small = tmp_path / "cache"
    small.mkdir()
    with home_with_model(tmp_path) as (home, _):
        home.write("a.py", RIGHT)
        filled = f'head -c 200M /dev/zero > {small}/filler 2>/dev/null; exec "$@"'
        disk = ("bwrap", "--dev-bind", "/", "/", "--size", "300000", "--tmpfs", str(small), "sh", "-c", filled, "sh")
        ran = home.run("check", "a.py", *FAST, prefix=disk)
        assert ran.code == 2, ran.err
        assert "full" in ran.error_line
        after = home.run("check", "a.py", *FAST)
    assert after.code == 0


def test_cache_and_doctor_tell_what_is_there(tmp_path: Path) -> None:
    with home_with_model(tmp_path) as (home, _):
        home.write("a.py", RIGHT)
        home.run("check", "a.py", *FAST)
        shown = home.run("cache")
        assert "10 language model calls, 100 tokens" in shown.out
        assert home.run("cache", "clear", "nonsense").code == 2
        assert "forgot 10 entries" in home.run("cache", "clear", "reply").out
        assert "forgot 1 entries" in home.run("cache", "clear", "corpus").out
        doctor = home.run("doctor")
    assert doctor.code == 0
    for part in ("model", "interpreter", "wall", "fuzzer", "store"):
        assert part in doctor.out
    without = Home(tmp_path).run("doctor")
    assert without.code == 2
    assert "mpt llm pull" in " ".join(without.out.split())


def test_help_names_every_command() -> None:
    from command_line import MPT

    shown = subprocess.run([MPT, "--help"], capture_output=True, text=True, timeout=60)
    assert shown.returncode == 0
    for command in ("check", "llm", "doctor", "cache"):
        assert command in shown.stdout


def test_a_file_that_cannot_be_read_does_not_keep_the_rest_of_a_folder(tmp_path: Path) -> None:
    with home_with_model(tmp_path) as (home, _):
        home.write("a.py", RIGHT)
        (home.project / "b.py").write_bytes(b"\xff\xfe\x00")
        ran = home.run("check", ".", *FAST)
    assert ran.code == 2
    assert [one["status"] for one in ran.functions] == ["CONSISTENT"]
    assert "b.py: not UTF-8" in ran.err


def test_what_a_syntax_error_hides_is_told(tmp_path: Path) -> None:
    with home_with_model(tmp_path) as (home, _):
        home.write("a.py", RIGHT + "\ndef g(x:\n")
        ran = home.run("check", "a.py", *FAST)
    assert ran.code == 0
    assert re.search(r"a\.py: syntax error in line \d+: '\(' was never closed; what it hides is not judged", ran.err)


@pytest.mark.parametrize("llm", ["m@localhost:1/v1", "m@nowhere", "http://127.0.0.1:1/v1", "m@n@http://127.0.0.1:1"])
def test_a_mistyped_server_is_never_somebody_elses(tmp_path: Path, llm: str) -> None:
    home = Home(tmp_path)
    home.write("a.py", RIGHT)
    ran = home.run("check", "a.py", "--llm", llm)
    assert ran.code == 2
    assert ran.err.strip().endswith(f"""'llm' is "embedded", MODEL@BASE_URL (http…) or MODEL, not {llm!r}""")


def test_fewer_paraphrases_than_a_verdict_needs_are_refused_before_any_is_asked_for(tmp_path: Path) -> None:
    with home_with_model(tmp_path) as (home, server):
        home.write("a.py", RIGHT)
        ran = home.run("check", "a.py", "--paraphrases", "2")
        assert not server.asked
    assert ran.code == 2
    assert "3 paraphrases at least are needed" in ran.err

"""The embedded model's child process: by a stand-in that talks alike, and for real where the model is downloaded."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fakes import FakeWatch
from mpt.adapters.embedded_download import missing, models_folder
from mpt.adapters.embedded_model import SERVE, EmbeddedModel
from mpt.errors import Cancelled, ModelError, ModelUnavailable
from mpt.values import Message, Request
from processes import children_of, is_running
from wheel_index import DATA, MODEL

TESTS = Path(__file__).parents[1]
on_linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")


def ask(text: str = "hello", temperature: float = 0.0, max_tokens: int = 20) -> Request:
    return Request((Message("user", text),), temperature, max_tokens, "t1")


def stand_in(behaviour: str) -> tuple[str, ...]:
    return (sys.executable, str(TESTS / "stand_in_serve.py"), behaviour)


@pytest.fixture
def models(tmp_path) -> Path:
    (tmp_path / MODEL.name).write_bytes(DATA)
    return tmp_path


@contextmanager
def embedded(folder: Path, behaviour: str = "well", idle_s: float = 300.0) -> Iterator[EmbeddedModel]:
    model = EmbeddedModel(folder, 60.0, model=MODEL, idle_s=idle_s, command=stand_in(behaviour))
    try:
        yield model
    finally:
        model.close()


def until(condition: Callable[[], bool]) -> None:
    """The test's own time limit ends it where this never comes true."""
    while not condition():
        time.sleep(0.02)


def serving_process(model: EmbeddedModel) -> int:
    """The stand-in answers with its process id."""
    return int(model.complete([ask()], FakeWatch())[0].text)


def test_nothing_is_started_before_it_is_needed_and_its_name_is_the_hash(tmp_path):
    with embedded(tmp_path, "broken") as model:
        assert model.name == f"sha256:{MODEL.sha256}"


def test_one_child_answers_every_batch(models):
    with embedded(models) as model:
        assert serving_process(model) == serving_process(model) != os.getpid()


@on_linux
def test_closing_ends_the_child_and_may_be_done_twice(models):
    with embedded(models) as model:
        child = serving_process(model)
        model.close()
        assert not is_running(child)
        assert serving_process(model) != child


def test_two_threads_share_one_child(models):
    seen: list[int] = []
    with embedded(models) as model:
        threads = [threading.Thread(target=lambda: seen.append(serving_process(model))) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(seen) == 3
    assert len(set(seen)) == 1


@on_linux
def test_an_idle_child_is_stopped_and_started_again_when_needed(models):
    with embedded(models, idle_s=0.05) as model:
        child = serving_process(model)
        until(lambda: not is_running(child))
        assert serving_process(model) != child


def test_a_child_that_was_killed_is_replaced(models):
    with embedded(models) as model:
        child = serving_process(model)
        os.kill(child, signal.SIGTERM)
        until(lambda: not is_running(child))
        assert serving_process(model) != child


def test_without_its_file_one_message_names_the_two_ways(tmp_path):
    with embedded(tmp_path) as model, pytest.raises(ModelUnavailable) as caught:
        model.complete([ask()], FakeWatch())
    assert str(caught.value) == (
        "the embedded model is not downloaded: "
        "`mpt llm pull` downloads it (0.0 GB), or name another with --llm MODEL@URL"
    )


def test_a_half_downloaded_file_is_not_served(models):
    (models / MODEL.name).write_bytes(DATA[:-1])
    with embedded(models) as model, pytest.raises(ModelUnavailable, match="is damaged"):
        model.complete([ask()], FakeWatch())


@pytest.mark.parametrize(
    ("behaviour", "said"),
    [
        ("refusing", "xllamacpp is not installed"),
        ("broken", r"the embedded model's server ended \(exit code 1\): no such instruction: the processor is too old"),
        ("fragile", r"the embedded model's server ended \(exit code 9\): out of memory"),
    ],
)
def test_a_child_that_does_not_serve_says_why(models, behaviour, said):
    with embedded(models, behaviour) as model, pytest.raises(ModelUnavailable, match=said):
        model.complete([ask()], FakeWatch())


def test_saying_stop_while_it_loads_ends_it(models):
    with embedded(models, "mute") as model, pytest.raises(Cancelled):
        model.complete([ask()], FakeWatch(cancel_at=5))


def test_saying_stop_while_another_thread_loads_it(models):
    stop = threading.Event()

    class Stoppable(FakeWatch):
        def check(self) -> None:
            self.checks += 1
            if stop.is_set():
                raise Cancelled("stopped")

    first = Stoppable()
    with embedded(models, "mute") as model:

        def load() -> None:
            with pytest.raises(Cancelled):
                model.complete([ask()], first)

        loading = threading.Thread(target=load)
        loading.start()
        until(lambda: first.checks > 2)
        with pytest.raises(Cancelled):
            model.complete([ask()], FakeWatch(cancel_at=2))
        stop.set()
        loading.join()


PARENT = """
    import sys
    from pathlib import Path
    sys.path.insert(0, {tests!r})
    from fakes import FakeWatch
    from mpt.adapters.embedded_download import QWEN
    from mpt.adapters.embedded_model import EmbeddedModel
    from mpt.values import Message, Request
    from wheel_index import MODEL
    model = EmbeddedModel(Path({folder!r}), 60.0, model={model}, command={command!r})
    request = Request((Message("user", "Say hello."),), 0.0, 5, "t1")
    print(model.complete([request], FakeWatch())[0].text.encode(), flush=True)
    input()
"""


def kill_parent_while_it_serves(folder: Path, model: str, command: tuple[str, ...]) -> None:
    program = PARENT.format(tests=str(TESTS), folder=str(folder), model=model, command=command)
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with parent:
        assert parent.stdout is not None
        assert parent.stdout.readline().startswith(b"b'")
        [child] = children_of(parent.pid)
        assert is_running(child)
        os.kill(parent.pid, signal.SIGKILL)
        parent.wait()
        until(lambda: not is_running(child))


@on_linux
def test_the_child_ends_when_its_parent_is_killed(models):
    kill_parent_while_it_serves(models, "MODEL", stand_in("well"))


# --- for real -------------------------------------------------------------------------------------


def _why_not_for_real() -> str | None:
    if importlib.util.find_spec("xllamacpp") is None:
        return "xllamacpp is not installed"
    return missing(models_folder())


for_real = pytest.mark.skipif(_why_not_for_real() is not None, reason=str(_why_not_for_real()))


@pytest.mark.skipif(importlib.util.find_spec("xllamacpp") is None, reason="xllamacpp is not installed")
def test_a_file_that_is_no_model_is_one_line(models):
    model = EmbeddedModel(models, 60.0, model=MODEL, command=SERVE)
    with pytest.raises(ModelError) as caught:
        model.complete([ask()], FakeWatch())
    assert f"xllamacpp cannot serve {models / MODEL.name}" in str(caught.value)
    assert "`mpt llm pull`" in str(caught.value)


@for_real
@pytest.mark.timeout(600)
def test_the_real_model_writes_code(capfd):
    model = EmbeddedModel(models_folder(), 500.0)
    asked = [ask(f"Write a Python function add_{n}(x) that returns x + {n}. Code only.", 0.2, 25) for n in range(5)]
    try:
        replies = model.complete(asked, FakeWatch())
    finally:
        model.close()
    assert all(f"def add_{n}(" in reply.text for n, reply in enumerate(replies))
    assert all(reply.prompt_tokens and reply.completion_tokens for reply in replies)
    assert capfd.readouterr() == ("", "")


@for_real
@on_linux
@pytest.mark.timeout(600)
def test_the_real_server_ends_when_its_parent_is_killed():
    kill_parent_while_it_serves(models_folder(), "QWEN", SERVE)

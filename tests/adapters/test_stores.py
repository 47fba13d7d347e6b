"""Both stores, on a real disk: one contract, then what each has of its own."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from mpt.adapters.folder_store import FolderStore
from mpt.adapters.sqlite_store import SqliteStore
from mpt.errors import StoreError
from mpt.ports import Store

MAKE: dict[str, Callable[[Path], Store]] = {
    "sqlite": lambda folder: SqliteStore(folder / "deep" / "kept.db"),
    "folder": lambda folder: FolderStore(folder / "deep" / "kept"),
}


@pytest.fixture(params=MAKE)
def store(request, tmp_path):
    made = MAKE[request.param](tmp_path)
    yield made
    made.close()


# --- the contract ---------------------------------------------------------------------------------


def test_gives_back_what_was_put(store):
    text = '{"a": "é \\n 空"}\nline\r\n'
    assert store.get("reply", "k") is None
    store.put("reply", "k", text)
    assert store.get("reply", "k") == text
    assert store.get("inputs", "k") is None


def test_a_later_put_stands_in_place_of_the_first(store):
    store.put("reply", "k", "a longer text")
    store.put("reply", "k", "short")
    assert store.get("reply", "k") == "short"


@pytest.mark.parametrize("key", ["../up", "a/b", "", ".", "C:\\x", "x" * 300, "空", "a\0b"])
def test_any_text_is_a_key(store, key, tmp_path):
    store.put("consent", key, "yes")
    assert store.get("consent", key) == "yes"
    assert [path.name for path in tmp_path.iterdir()] == ["deep"]


def test_counts_up_to_the_ceiling_and_not_beyond(store):
    assert store.add("spent", "day", 3, 5)
    assert not store.add("spent", "day", 3, 5)
    assert store.add("spent", "day", 2, 5)
    assert store.get("spent", "day") == "5"
    assert not store.add("spent", "other", 6, 5)
    assert store.get("spent", "other") is None


def test_threads_share_it(store):
    granted = []

    def work() -> None:
        granted.extend(store.add("spent", "day", 1, 50) for _ in range(20))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert granted.count(True) == 50
    assert store.get("spent", "day") == "50"


WORKER = """
    import sys
    from pathlib import Path
    from mpt.adapters.folder_store import FolderStore
    from mpt.adapters.sqlite_store import SqliteStore
    which, path, name = sys.argv[1:]
    store = {"sqlite": SqliteStore, "folder": FolderStore}[which](Path(path))
    granted = 0
    for n in range(60):
        granted += store.add("spent", "day", 1, 100)
        store.put("reply", f"{name}-{n}", "text")
        store.put("reply", "shared", "text " * 1000)
        assert store.get("reply", "shared") == "text " * 1000
    store.close()
    print(granted)
"""


@pytest.mark.parametrize("which", MAKE)
def test_processes_share_it_from_the_first_moment(which, tmp_path):
    command = [sys.executable, "-c", textwrap.dedent(WORKER), which, str(tmp_path / "kept")]
    children = [subprocess.Popen([*command, str(n)], stdout=subprocess.PIPE, text=True) for n in range(3)]
    granted = [int(child.communicate(timeout=100)[0]) for child in children]
    assert [child.returncode for child in children] == [0, 0, 0]
    assert sum(granted) == 100


FILL = """
    import sys
    from pathlib import Path
    from mpt.adapters.folder_store import FolderStore
    from mpt.adapters.sqlite_store import SqliteStore
    from mpt.errors import StoreError
    store = {"sqlite": SqliteStore, "folder": FolderStore}[sys.argv[1]](Path(sys.argv[2]))
    store.put("reply", "first", "kept")
    try:
        for n in range(1000):
            store.put("reply", str(n), str(n) * 2000)
    except StoreError as error:
        print(error)
    print(store.get("reply", "first"), store.get("reply", str(n)), store.get("reply", str(n - 1)) == str(n - 1) * 2000)
    store.close()
"""


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="a small disk is made with bubblewrap")
@pytest.mark.parametrize("which", MAKE)
def test_a_full_disk_is_one_line_and_leaves_the_store_intact(which, tmp_path):
    disk = ["bwrap", "--dev-bind", "/", "/", "--size", str(1 << 20), "--tmpfs", str(tmp_path)]
    command = [*disk, sys.executable, "-c", textwrap.dedent(FILL), which, str(tmp_path / "kept")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    said, *rest = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert "disk is full" in said or "No space left on device" in said
    assert rest == ["kept None True"]


# --- SQLite alone ---------------------------------------------------------------------------------


@pytest.fixture
def sqlite(tmp_path):
    made = SqliteStore(tmp_path / "kept.db")
    yield made
    made.close()


def test_what_is_kept_outlives_the_process(tmp_path):
    first = SqliteStore(tmp_path / "kept.db")
    first.put("reply", "k", "text")
    first.close()
    first.close()
    second = SqliteStore(tmp_path / "kept.db")
    assert second.get("reply", "k") == "text"
    second.close()


def test_counts_sizes_and_clears(sqlite):
    for n in range(100):
        sqlite.put("reply", str(n), "x" * 10_000)
    sqlite.put("consent", "root", "yes")
    sqlite.add("spent", "day", 1, 5)
    assert sqlite.counts() == {"consent": 1, "reply": 100, "spent": 1}
    large = sqlite.size_bytes()
    assert large > 1_000_000
    assert sqlite.clear("reply") == 100
    assert sqlite.counts() == {"consent": 1, "spent": 1}
    assert sqlite.size_bytes() < large / 10
    assert sqlite.clear() == 1
    assert sqlite.counts() == {"spent": 1}


def test_a_damaged_file_says_what_to_do(tmp_path):
    (tmp_path / "kept.db").write_bytes(b"this is no database at all, but it is long enough" * 100)
    with pytest.raises(StoreError, match=r"kept\.db: the file is damaged: delete it"):
        SqliteStore(tmp_path / "kept.db")


def test_a_file_damaged_later_says_so_too(tmp_path):
    store = SqliteStore(tmp_path / "kept.db")
    for n in range(50):
        store.put("reply", str(n), "x" * 5000)
    store.close()
    file = tmp_path / "kept.db"
    data = bytearray(file.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    file.write_bytes(data)
    with pytest.raises(StoreError, match="the file is damaged"):
        SqliteStore(file).get("reply", "1")


def test_a_newer_file_is_left_alone(tmp_path):
    connection = sqlite3.connect(tmp_path / "kept.db")
    connection.execute("PRAGMA user_version = 7")
    connection.close()
    with pytest.raises(StoreError, match=r"newer mpt \(schema 7\): update mpt"):
        SqliteStore(tmp_path / "kept.db")


def test_a_folder_that_cannot_be_made_says_so(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="file"):
        SqliteStore(tmp_path / "file" / "kept.db")


# --- the folder alone -----------------------------------------------------------------------------


def test_reading_makes_nothing(tmp_path):
    assert FolderStore(tmp_path / "none").get("reply", "k") is None
    assert not (tmp_path / "none").exists()


def test_one_readable_file_an_entry_and_no_leftovers(tmp_path):
    folder = FolderStore(tmp_path)
    folder.put("reply", "abc", '{"text": "空"}\n')
    assert [str(path.relative_to(tmp_path)) for path in sorted(tmp_path.rglob("*"))] == ["reply", "reply/abc.json"]
    assert (tmp_path / "reply" / "abc.json").read_bytes() == '{"text": "空"}\n'.encode()


def test_an_entry_that_is_no_text_says_so(tmp_path):
    FolderStore(tmp_path).put("reply", "abc", "")
    (tmp_path / "reply" / "abc.json").write_bytes(b"\xff\xfe")
    with pytest.raises(StoreError, match=r"abc\.json is not UTF-8"):
        FolderStore(tmp_path).get("reply", "abc")


def test_a_file_where_the_folder_should_be_says_so(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="file"):
        FolderStore(tmp_path / "file").put("reply", "abc", "")

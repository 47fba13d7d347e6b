"""The parent's decoder is total: whatever comes from behind the wall is a reading or Forged, and nothing else."""

from __future__ import annotations

import json
import struct

from hypothesis import example, given
from hypothesis import strategies as st

from mpt.adapters.sandbox import decode
from mpt.values import Arguments, Raised, Returned, Stopped, Value

NONCE = "00ff"
CALL = Arguments((Value("[1]"),), (("y", Value("2")),))


def framed(payload: bytes) -> bytes:
    return struct.pack(">I", len(payload)) + payload


def read_all(data: bytes) -> list[object]:
    """Everything in `data`; the last is Forged where that is what it was."""
    seen: list[object] = []
    try:
        seen.extend(decode.reading(frame, CALL) for frame in decode.frames(bytearray(data), NONCE, 1000))
    except decode.Forged as forged:
        seen.append(forged)
    return seen


@given(st.binary(max_size=80))
@example(b"\xff\xff\xff\xff")
@example(framed(b""))
@example(framed(b"\n\n\n"))
@example(framed(b"[" * 900))
@example(framed(b"\xff\xfe"))
@example(framed(b'["00ff",0.1,1,[0,"returned"]]'))
@example(framed(b'["00ff",1e999,1,[0,"returned"]]\n1\n\n'))
@example(framed(b'["00ff",0.1,1,[0,"returned"]]\n{"range":[1,2,0]}\n\n'))
@example(framed(b'["00ff",0.1,1,[0,"returned"]]\n{"x":1}\n\n'))
@example(framed(b'["00ff",0.1,1,[0,"stopped","bribed",""]]'))
@example(framed(b'["00ff",0.1,2,null]'))
@example(framed(b'["00ff",' + b"9" * 400 + b',1,["loaded"]]'))
@example(framed(b'["00fe",0.1,1,["loaded"]]'))
def test_any_bytes(data: bytes) -> None:
    read_all(data)


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-2, 2), st.floats(), st.sampled_from(["returned", "raised", "x"])),
    lambda inner: st.lists(inner, max_size=5),
    max_leaves=8,
)


@given(JSON, st.lists(st.one_of(JSON.map(json.dumps), st.text(max_size=5)), max_size=4))
def test_any_frame_of_ours_with_any_item_and_texts(item: object, texts: list[str]) -> None:
    head = json.dumps([NONCE, 0.1, 1, item])
    read_all(framed("\n".join([head, *texts]).encode("utf-8", "surrogatepass")))


def test_what_the_runner_says_is_read() -> None:
    heads = [
        ["loaded"],
        [0, "returned"],
        [1, "raised", "ValueError", "no"],
        [2, "stopped", "memory", ""],
    ]
    texts = [[], ["[1,2]", "", "3"], [], []]
    payloads = ["\n".join([json.dumps([NONCE, 0.5, 1, head]), *more]) for head, more in zip(heads, texts, strict=True)]
    assert read_all(b"".join(framed(payload.encode()) for payload in payloads)) == [
        decode.Loaded(),
        decode.Called(0, Returned(Value("[1,2]"), (Value("[1]"), Value("3")))),
        decode.Called(1, Raised("ValueError", "no")),
        decode.Called(2, Stopped("memory")),
    ]


def test_half_a_frame_waits_for_the_rest() -> None:
    whole = framed(json.dumps([NONCE, 0.5, 1, ["loaded"]]).encode())
    buffer = bytearray(whole[:-3])
    assert list(decode.frames(buffer, NONCE, 1000)) == []
    buffer += whole[-3:]
    assert len(list(decode.frames(buffer, NONCE, 1000))) == 1
    assert buffer == b""

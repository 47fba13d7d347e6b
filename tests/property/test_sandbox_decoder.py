"""The parent's decoder is total: whatever comes from behind the wall is a reading or Forged, and nothing else."""

from __future__ import annotations

import json
import struct

from hypothesis import example, given
from hypothesis import strategies as st

from mpt.adapters.sandbox import decode
from mpt.values import Arguments, Opaque, Raised, Returned, Stopped, Value

NONCE = b"00ff"
CALL = Arguments((Value("[1]"),), (("y", Value("2")),))


def framed(payload: bytes) -> bytes:
    return struct.pack(">I", len(payload)) + payload


def read_all(data: bytes) -> list[object]:
    """Everything in `data`; the last is Forged where that is what it was."""
    seen: list[object] = []
    try:
        frames, cpu_s = decode.frames(bytearray(data), NONCE, 1000)
        assert cpu_s >= 0
        seen.extend(decode.reading(frame, CALL) for frame in frames)
    except decode.Forged as forged:
        seen.append(forged)
    return seen


@given(st.binary(max_size=80))
@example(b"\xff\xff\xff\xff")
@example(framed(b""))
@example(framed(b"\n\n\n"))
@example(framed(b"00ff 1 " + b"[" * 900))
@example(framed(b"00ff 1 \xff\xfe"))
@example(framed(b'00ff -1 [0,"returned"]'))
@example(framed(b"00ff " + b"9" * 500 + b' ["loaded"]'))
@example(framed(b'00ff 1 [0,"returned"]'))
@example(framed(b'00ff 1 [0,"returned"]\n1\n\n'))
@example(framed(b'00ff 1 [0,"returned"]\n\xff'))
@example(framed(b'00ff 1 [0,"returned"]\n{"range":[1,2,0]}'))
@example(framed(b'00ff 1 [0,"returned"]\n{"x":1}'))
@example(framed(b'00ff 1 [0,"stopped","bribed",""]'))
@example(framed(b'00fe 1 ["loaded"]'))
def test_any_bytes(data: bytes) -> None:
    read_all(data)


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-2, 2), st.floats(), st.sampled_from(["returned", "raised", "x"])),
    lambda inner: st.lists(inner, max_size=5),
    max_leaves=8,
)


@given(JSON, st.lists(st.one_of(JSON.map(json.dumps), st.text(max_size=5)), max_size=4))
def test_any_frame_of_ours_with_any_item_and_texts(item: object, texts: list[str]) -> None:
    read_all(framed("\n".join([f"00ff 1 {json.dumps(item)}", *texts]).encode("utf-8", "surrogatepass")))


def test_what_the_runner_says_is_read() -> None:
    payloads = [
        '["loaded"]',
        '[0,"returned"]\n[1,2]\n[1,1]\n3',
        '[1,"returned"]\n5',
        '[2,"raised","ValueError","no"]',
        '[3,"stopped","memory",""]',
        '[4,"returned"]\n{"opaque":"module"}',
    ]
    assert read_all(b"".join(framed(f"00ff 1500 {payload}".encode()) for payload in payloads)) == [
        decode.Loaded(),
        decode.Called(0, Returned(Value("[1,2]"), (Value("[1,1]"), Value("3")))),
        decode.Called(1, Returned(Value("5"), (Value("[1]"), Value("2")))),
        decode.Called(2, Raised("ValueError", "no")),
        decode.Called(3, Stopped("memory")),
        decode.Called(4, Opaque("module")),
    ]


def test_half_a_frame_waits_for_the_rest() -> None:
    whole = framed(b'00ff 2500000 ["loaded"]')
    buffer = bytearray(whole + whole[:-3])
    assert decode.frames(buffer, NONCE, 1000) == ([b'["loaded"]'], 2.5)
    assert buffer == whole[:-3]
    buffer += whole[-3:]
    assert decode.frames(buffer, NONCE, 1000) == ([b'["loaded"]'], 2.5)
    assert buffer == b""

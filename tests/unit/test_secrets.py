"""What a language model is told of a module has no keys in it."""

from __future__ import annotations

import pytest

from mpt.source.secrets import without_secrets

KEY = "sk-proj-4f9Tq27ZbbYx81Lm"
PLAIN = [
    "ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz'\n",
    "SEPARATOR = ', '  # between them\n",
    "SORT_KEY = 'name'\n",
    "TOKENS = ['+', '-', '**']\n",
    "def f(x):\n    '''Says what 1234567890 words a sentence has, and what they are.'''\n",
]


@pytest.mark.parametrize(
    "code",
    [
        f"ENDPOINT = '{KEY}'\n",
        f"HEADERS = {{'Authorization': '{KEY}'}}\n",
        f"class Client:\n    password: str = 'correct-horse'\n    key = '{KEY}'\n",
        f"client = Client(token='{KEY}')\n",
        f"def call(x, key='{KEY}'):\n    return x\n",
        f"self.secret = b'{KEY}'\n",
    ],
)
def test_what_looks_like_a_secret_is_hidden_and_the_rest_kept(code: str) -> None:
    told = without_secrets(code)
    assert "..." in told
    assert KEY not in told
    assert "correct-horse" not in told
    assert told.split("=")[0].split("(")[0] == code.split("=")[0].split("(")[0]


@pytest.mark.parametrize("code", PLAIN)
def test_what_looks_like_none_stays_as_it_is_written(code: str) -> None:
    assert without_secrets(code) == code

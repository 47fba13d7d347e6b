from typing import List
from typing import List

# HumanEval/28, as Qwen2.5-Coder-1.5B-Instruct answered it first (temperature 0). HumanEval's tests: pass.
def concatenate(strings: List[str]) -> str:
    """ Concatenate list of strings into a single string
    >>> concatenate([])
    ''
    >>> concatenate(['a', 'b', 'c'])
    'abc'
    """
    return ''.join(strings)

# HumanEval/98, as Qwen2.5-Coder-1.5B-Instruct answered it first (temperature 0). HumanEval's tests: pass.
def count_upper(s):
    """
    Given a string s, count the number of uppercase vowels in even indices.
    
    For example:
    count_upper('aBCdEf') returns 1
    count_upper('abcdefg') returns 0
    count_upper('dBBE') returns 0
    """
    return sum(1 for i, char in enumerate(s) if i % 2 == 0 and char in 'AEIOU')

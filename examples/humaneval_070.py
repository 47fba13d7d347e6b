# HumanEval/70, as Qwen2.5-Coder-1.5B-Instruct answered it first (temperature 0). HumanEval's tests: fail.
def strange_sort_list(lst):
    '''
    Given list of integers, return list in strange order.
    Strange sorting, is when you start with the minimum value,
    then maximum of the remaining integers, then minimum and so on.

    Examples:
    strange_sort_list([1, 2, 3, 4]) == [1, 4, 2, 3]
    strange_sort_list([5, 5, 5, 5]) == [5, 5, 5, 5]
    strange_sort_list([]) == []
    '''
    return sorted(lst, key=lambda x: (x, -x))

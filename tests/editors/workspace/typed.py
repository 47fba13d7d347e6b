def middle(numbers: list[int]) -> int:
    """Which number stands in the middle once the list is sorted? Of two, take the smaller. An empty list: 0.

    >>> middle([3, 1, 2])
    2
    """

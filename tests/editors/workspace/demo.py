"""Two functions as an assistant writes them. The first is wrong: it sees no gap where the numbers fall."""


def largest_gap(numbers: list[int]) -> int:
    """How far apart are the two neighbours in the list that are furthest apart? With fewer than two numbers: 0.

    >>> largest_gap([1, 5, 2])
    4
    """
    return max((numbers[i + 1] - numbers[i] for i in range(len(numbers) - 1)), default=0)


def middle(numbers: list[int]) -> int:
    """Which number stands in the middle once the list is sorted? Of two, take the smaller. An empty list: 0.

    >>> middle([3, 1, 2])
    2
    """
    if not numbers:
        return 0
    return sorted(numbers)[(len(numbers) - 1) // 2]

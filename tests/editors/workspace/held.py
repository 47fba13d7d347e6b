def double(number: int) -> int:
    """Return twice the number."""
    return number + number

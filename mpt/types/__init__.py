"""Other people's types, as far as our side knows them. (Behind the wall they are told as data by `mpt.worker.foreign`.)

known.py       how values of them are made
comparing.py   when two of them are the same
showing.py     how a person reads them

A package that mpt does not know tells of its types by an entry point of the group `mpt.types`: a `ForeignType`, or a
list of them.

    from mpt.types import ForeignType

    def coordinates(point):
        return (point.x, point.y)

    POINT = ForeignType(
        name="shapely.geometry.Point",
        makes=("shapely.geometry.Point(0, 0)", "shapely.geometry.Point(1.5, -2)"),
        data=coordinates,
    )
"""

from mpt.values import ForeignType, Shape

__all__ = ["ForeignType", "Shape"]

"""A Plot as SVG text, readable on light and dark ground. Series of one name have one colour and one legend."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from mpt.reporting.document import Plot, Series
from mpt.reporting.escape import printable

WIDTH, HEIGHT = 640, 420
LEFT, RIGHT, TOP, BOTTOM = 60, 170, 36, 48
TICKS = 5
COLOURS = ("#2b6cb0", "#c05621", "#2f855a", "#b83280", "#6b46c1", "#b7791f", "#4a5568", "#c53030")


def draw(plot: Plot) -> str:
    """The picture, its title as text for who cannot see it."""
    names = list(dict.fromkeys(series.name for series in plot.series))
    drawn = (part for series in plot.series for part in _series(plot, series, _colour(names.index(series.name))))
    parts = [*_axes(plot), *drawn, *(part for n, name in enumerate(names) for part in _legend(n, name))]
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" role="img" aria-label="{_text(plot.title)}"'
        f' font-family="system-ui, sans-serif" font-size="12" fill="currentColor">\n' + "\n".join(parts) + "\n</svg>"
    )


def _axes(plot: Plot) -> Iterator[str]:
    left, bottom, right, top = LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, TOP
    yield f'<text x="{left}" y="20" font-size="14" font-weight="bold">{_text(plot.title)}</text>'
    yield f'<path d="M{left} {top}V{bottom}H{right}" fill="none" stroke="currentColor"/>'
    for step in range(TICKS + 1):
        x, y = (low + (high - low) * step / TICKS for low, high in zip(plot.low, plot.high, strict=True))
        at_x, at_y = _place(plot, x, y)
        yield f'<text x="{at_x:.1f}" y="{bottom + 16}" text-anchor="middle">{x:.3g}</text>'
        yield f'<text x="{left - 6}" y="{at_y + 4:.1f}" text-anchor="end">{y:.3g}</text>'
        yield f'<path d="M{left} {at_y:.1f}H{right}" stroke="currentColor" opacity=".15"/>'
    yield f'<text x="{(left + right) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{_text(plot.x)}</text>'
    turned = f'transform="translate(16 {(top + bottom) / 2}) rotate(-90)"'
    yield f'<text {turned} text-anchor="middle">{_text(plot.y)}</text>'


def _series(plot: Plot, series: Series, colour: str) -> Iterator[str]:
    places = [_place(plot, x, y) for x, y in series.points]
    if series.style == "dots":
        for x, y in places:
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" fill="{colour}" stroke="Canvas" stroke-width="2"/>'
    elif places:
        dashes = ' stroke-dasharray="5 4"' if series.style == "dashed" else ""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>'


def _legend(number: int, name: str) -> Iterator[str]:
    y = TOP + 8 + 18 * number
    yield f'<rect x="{WIDTH - RIGHT + 12}" y="{y}" width="10" height="10" fill="{_colour(number)}"/>'
    yield f'<text x="{WIDTH - RIGHT + 28}" y="{y + 9}">{_text(name)}</text>'


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def _place(plot: Plot, x: float, y: float) -> tuple[float, float]:
    """Where a point stands in the picture; what is outside the axes stands at their edge."""
    across, up = _share(x, plot.low[0], plot.high[0]), _share(y, plot.low[1], plot.high[1])
    return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)


def _share(value: float, low: float, high: float) -> float:
    return min(max((value - low) / (high - low), 0.0), 1.0)


def _text(text: str) -> str:
    return escape(printable(text, 60))

"""Handcarts from above: bed, wheels, load, and the pusher.

The pusher's cap has the colour of its side.
"""

from __future__ import annotations

from game.view.painting.palette import RGB, mix
from game.view.units.dogs import DogPainter


class CartPainter(DogPainter):
    """Draws carts as :class:`DogPainter` draws dogs."""

    flag = "cap"

    def tones(self) -> dict[str, RGB]:
        """Return the colours of wood, sacks and the pusher's coat."""
        leather, ink, rim = self.palette["leather"], self.palette["ink"], self.palette["rim"]
        return {
            "wheel": mix(leather, ink, 0.7), "bed": mix(leather, rim, 0.15), "sack": mix(rim, leather, 0.25),
            "shaft": mix(leather, ink, 0.3), "coat": mix(leather, ink, 0.35), "crown": mix(rim, leather, 0.1),
        }  # fmt: skip

    def square(self, name: str) -> bool:
        """Return whether a shape has corners; the wooden ones do."""
        return name in ("bed", "wheel", "shaft")

    def shapes(self, pose: str) -> list[tuple[str, float, float, float, float]]:
        """Return (name, ahead, aside, length, width) of the shapes, the lowest first.

        The pusher moves its feet while the cart moves.
        """
        step = {"runs0": 0.06, "runs1": 0.0, "runs2": -0.06, "runs3": 0.0}.get(pose, 0.0)
        man = [
            ("coat", -0.52 + step, -0.13, 0.20, 0.12), ("coat", -0.52 - step, 0.13, 0.20, 0.12),
            ("coat", -0.50, 0.0, 0.24, 0.46), ("cap", -0.47, 0.0, 0.27, 0.27), ("crown", -0.47, 0.0, 0.09, 0.09),
        ]  # fmt: skip
        if pose == "lies":
            man = [("coat", -0.70, 0.1, 0.44, 0.26), ("cap", -0.94, 0.12, 0.22, 0.22)]
        cart = [
            ("wheel", 0.12, -0.37, 0.46, 0.11), ("wheel", 0.12, 0.37, 0.46, 0.11),
            ("shaft", -0.28, -0.18, 0.40, 0.06), ("shaft", -0.28, 0.18, 0.40, 0.06), ("bed", 0.18, 0.0, 0.74, 0.56),
            ("sack", 0.34, -0.11, 0.28, 0.24), ("sack", 0.30, 0.14, 0.30, 0.24), ("sack", 0.05, 0.02, 0.32, 0.30),
        ]  # fmt: skip
        return [*cart, *man]

"""Pose layers: masks, weights and faded transitions of joint angles.

A pose is a row of joint angles. A mask names the joints that a clip owns. Masks that are disjoint and cover all joints
compose a whole pose from parts, so legs, torso and arms need clips of their own only. A layer with a weight lies over
the pose below it: weight 0 changes nothing, weight 1 shows the layer alone on its mask. Layers are applied in order.
All angles go the shorter way round.

A transition fades from a snapshot. A ring keeps the last poses. A new clip leaves the present pose in its place and the
ring moves on, so nothing is copied. Each step the share of the snapshot shrinks; any number of layers may have played.

Arrays: poses float64[n, joints] in radians, masks bool[joints], weights float64[n] from 0 to 1.

Source: "Game AI Pro 2", 36.4 (masks, layering); "AI Game Programming Wisdom", 2.4 (blends from a ring of rotations).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

RING = 4
"""Poses in the ring; the source names 3 to 5."""


def turned(
    start: np.ndarray, end: np.ndarray, share: np.ndarray | float, circle: np.ndarray | float = math.tau
) -> np.ndarray:
    """Return the angles a share of the shorter way from ``start`` to ``end``.

    ``circle`` is a whole turn, of each joint or of all; 0 marks a joint that is a length, without a shorter way.
    """
    way, whole = end - start, np.asarray(circle, np.float64)
    around = np.where(whole > 0.0, whole, 1.0)
    way = np.where(whole > 0.0, (way + around / 2.0) % around - around / 2.0, way)
    found: np.ndarray = start + way * share
    return found


def composed(poses: Sequence[np.ndarray], masks: Sequence[np.ndarray]) -> np.ndarray:
    """Return the union of poses on disjoint masks that cover every joint.

    Raises ValueError if a joint has no mask or two.
    """
    owners = np.sum(masks, axis=0)
    if (owners != 1).any():
        joint = int(np.flatnonzero(owners != 1)[0])
        raise ValueError(f"pose masks: joint {joint} is owned by {int(owners[joint])} masks, not by one")
    whole = np.zeros_like(poses[0])
    for pose, mask in zip(poses, masks, strict=True):
        whole[:, mask] = pose[:, mask]
    return whole


def layered(
    base: np.ndarray,
    layers: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray]],
    circle: np.ndarray | float = math.tau,
) -> np.ndarray:
    """Return the pose with layers (pose, mask, weight) applied in order.

    ``circle`` is that of :func:`turned`.
    """
    pose, whole = base.copy(), np.broadcast_to(circle, base.shape[1:])
    for over, mask, weight in layers:
        pose[:, mask] = turned(pose[:, mask], over[:, mask], np.asarray(weight)[:, None], whole[mask])
    return pose


@dataclass
class PoseRing:
    """Last poses of n bodies, with a faded transition each."""

    bodies: int
    joints: int
    poses: np.ndarray = field(init=False)
    """Ring of poses, float64[n, ring, joints]."""
    current: np.ndarray = field(init=False)
    source: np.ndarray = field(init=False)
    faded: np.ndarray = field(init=False)
    """Share of the transition that is over; 1 for none."""
    length: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.poses = np.zeros((self.bodies, RING, self.joints))
        self.current, self.source = np.zeros(self.bodies, np.int64), np.zeros(self.bodies, np.int64)
        self.faded, self.length = np.ones(self.bodies), np.ones(self.bodies)

    def begin(self, rows: np.ndarray, ticks: int) -> None:
        """Begin a transition of some bodies from the pose that they show."""
        self.source[rows] = self.current[rows]
        self.current[rows] = (self.current[rows] + 1) % RING
        self.faded[rows], self.length[rows] = 0.0, max(ticks, 1)

    def show(self, pose: np.ndarray) -> np.ndarray:
        """Store and return the poses of this tick, faded where a transition runs."""
        rows = np.arange(self.bodies)
        self.faded = np.minimum(self.faded + 1.0 / self.length, 1.0)
        blend = turned(self.poses[rows, self.source], pose, self.faded[:, None])
        shown = np.where(self.faded[:, None] < 1.0, blend, pose)
        self.poses[rows, self.current] = shown
        return shown


TECHNIQUES = (
    {
        "slug": "pose-layers",
        "name": "Pose layers with masks and weights",
        "ids": ("GP2-36.9", "GP2-36.11"),
        "source": "Game AI Pro 2, 36.4",
        "functions": ("composed", "layered"),
        "test": "tests/ai/animation/test_pose_layers.py",
        "exhibit": "levels/exhibits/minds/layer_mixer.toml",
        "overlay": "layers",
        "setting": "figures.layers",
        "measure": "unseen",
        "direction": "down",
        "claim": (
            "Clips of a hit lie over the clips of other acts with full weight. Poses composed of masks and "
            "weights between 0 and 1 are in the library only."
        ),
    },
    {
        "slug": "pose-ring",
        "name": "Faded transitions from a ring of poses",
        "ids": ("AW-2.4-2",),
        "source": "AI Game Programming Wisdom, 2.4",
        "functions": ("PoseRing.begin", "PoseRing.show"),
        "test": "tests/ai/animation/test_pose_layers.py",
        "exhibit": "levels/exhibits/motion/starts.fades.toml",
        "overlay": "layers",
        "setting": "figures.blends",
        "measure": "jumps",
        "direction": "down",
        "claim": (
            "The ring is in the library only: a figure keeps the number of the frame that it showed, and fades "
            "from that into a group of clips."
        ),
    },
)

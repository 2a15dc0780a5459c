"""Indices of the packed steering settings, in field order of ``SteeringSettings``.

Kernels import these alone, so a changed default of a setting compiles none of them again.
"""

from enum import IntEnum


class Avoidance(IntEnum):
    """Methods by which units avoid each other before they touch."""

    NONE = 0
    SEPARATION = 1
    TTC = 2
    SOCIAL = 3
    RECIPROCAL = 4


(
    P_DT,
    P_GAIN,
    P_GAIN_RAISE,
    P_GAIN_LIMIT,
    P_WAYPOINT_RADIUS,
    P_SETTLE_RADIUS,
    P_BRAKE,
    P_LOOKAHEAD,
    P_KEEP_RIGHT,
    P_WHISKERS,
    P_WHISKER_REACH,
    P_WHISKER_RADIUS,
    P_WHISKER_REPEL,
    P_WHISKER_EROSION,
    P_WHISKER_ATTRACT,
    P_WHISKER_UNITS,
    P_AVOIDANCE,
    P_SENSE_RADIUS,
    P_NEIGHBOURS,
    P_HORIZON,
    P_PEER_HORIZON,
    P_PEER_SHARE,
    P_FORCE_CAP,
    P_SIDE_BIAS,
    P_INTENT,
    P_CALM,
    P_AVOID_WEIGHT,
    P_SEPARATION,
    P_SOCIAL_STRENGTH,
    P_SOCIAL_RANGE,
    P_METHOD,
    P_CONTEXT_SLOTS,
    P_CONTEXT_FALLOFF,
    P_CONTEXT_KEEP_AWAY,
    P_CONTEXT_LOOK,
    P_CONTEXT_BLUR,
    P_CONTEXT_BLEND,
    P_SWARM_RANGE,
    P_SWARM_LIFE,
    P_TURNING_RADIUS,
    P_PIPELINES,
    P_RIGHT_OF_WAY,
    P_GIVE_WAY_AFTER,
    P_GIVE_WAY_TICKS,
    P_ACCELERATION,
    P_TURN_ACCELERATION,
    P_ALONG_FACING,
    P_SWEEPS,
    P_IDLE_MASS,
    P_PROGRESS_STEP,
    P_BLOCKED_TICKS,
    P_SETTLE_TICKS,
    P_PACKING_RADIUS,
    P_THREADS_FROM,
) = range(54)

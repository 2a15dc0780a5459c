"""Goal queues: lazy, in order, and never beyond a door that is still shut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai.decision.goal_queue import Goal, GoalKind, GoalQueue, Link, goals_of_door, goals_of_path

P, D, L = Link.PLAIN, Link.DOOR, Link.LIFT


def test_a_door_takes_the_place_of_all_that_lies_behind_it():
    goals = goals_of_path([0, 1, 2, 3, 4], [P, P, D, P], [-1, -1, 7, -1])
    assert [(g.kind, g.about) for g in goals] == [(GoalKind.FOLLOW, 0), (GoalKind.FOLLOW, 1), (GoalKind.PASS_DOOR, 7)]


def test_a_lift_over_many_floors_is_one_ride():
    goals = goals_of_path([0, 1, 2, 3, 4, 5], [P, L, L, L, P], [-1, 3, 3, 3, -1])
    assert [(g.kind, g.about, g.node) for g in goals] == [(GoalKind.FOLLOW, 0, 1), (GoalKind.RIDE, 3, 4)]


@given(st.lists(st.tuples(st.sampled_from([P, P, P, D, L]), st.integers(0, 3)), max_size=12))
def test_scanning_backwards_gives_what_walking_forwards_to_the_first_obstacle_does(links):
    """Walk forwards to the first door or the first lift's end: an oracle."""
    expected = []
    for i, (kind, owner) in enumerate(links):
        if kind == P:
            expected.append((GoalKind.FOLLOW, i, i + 1))
            continue
        last = i
        while kind == L and last + 1 < len(links) and links[last + 1] == (L, owner):
            last += 1
        expected.append((GoalKind.PASS_DOOR if kind == D else GoalKind.RIDE, owner, last + 1))
        break
    kinds, owners = [k for k, _ in links], [o for _, o in links]
    goals = goals_of_path(list(range(len(links) + 1)), kinds, owners)
    assert [(g.kind, g.about, g.node) for g in goals] == expected


def test_the_switch_on_the_near_side_is_chosen_and_not_the_decoy():
    goals = goals_of_door(7, switches=[20, 21], homes=[2, 1], entry=3, entry_home=1)
    assert [(g.kind, g.about) for g in goals] == [(GoalKind.WORK, 21), (GoalKind.REACH, 3), (GoalKind.FOLLOW, 7)]
    pushed = goals_of_door(7, switches=[20], homes=[2], entry=3, entry_home=1)
    assert GoalKind.WORK not in [g.kind for g in pushed]


def subgoals(goal):
    if goal.kind == GoalKind.REACH and goal.about == 9:
        return goals_of_path([0, 1, 2, 9], [P, D, P], [-1, 7, -1])
    if goal.kind == GoalKind.PASS_DOOR:
        return goals_of_door(7, [21], [1], 30, 1)
    return []


def test_goals_are_made_when_they_are_reached_and_run_in_order():
    queue, done = GoalQueue(), []
    queue.push(Goal(int(GoalKind.REACH), 9))
    assert queue.expand(subgoals).kind == GoalKind.FOLLOW and queue.made == 3
    while queue.goals:
        goal = queue.expand(subgoals)
        done.append((GoalKind(goal.kind).name, goal.about))
        queue.succeed()
    assert done == [
        ("FOLLOW", 0), ("WORK", 21), ("REACH", 30), ("FOLLOW", 7), ("PASS_DOOR", 7), ("REACH", 9),
    ]  # fmt: skip


def test_an_interrupted_queue_has_expanded_only_reached_goals():
    queue = GoalQueue()
    queue.push(Goal(int(GoalKind.REACH), 9))
    queue.expand(subgoals)
    assert queue.made == 1 + 2, "the door has not begotten its switch yet"


def test_failure_goes_up_to_a_parent_that_plans_anew():
    queue = GoalQueue()
    queue.push(Goal(int(GoalKind.REACH), 9))
    queue.expand(subgoals)
    queue.succeed()
    queue.expand(subgoals)
    parent = queue.fail()
    assert (parent.kind, parent.about) == (GoalKind.PASS_DOOR, 7)
    assert queue.expand(subgoals).kind == GoalKind.WORK
    while queue.goals:
        queue.fail()
    assert queue.fail() is None


def test_goals_that_beget_themselves_are_refused():
    queue = GoalQueue()
    queue.push(Goal(int(GoalKind.REACH), 1))
    with pytest.raises(ValueError, match="without end"):
        queue.expand(lambda goal: [Goal(int(GoalKind.REACH), 1)])

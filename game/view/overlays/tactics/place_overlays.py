"""Place overlays: ratings of places, and the scores of the best by criterion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pygame

from ai.squad.emergent.personalities import TERMS
from ai.tactics.ground.tactical_query import Ranking
from game.minds.squad.squad_words import best_places
from game.systems.tactics.known_threats import known_threats
from game.systems.tactics.tactical_places import ask_of, query_of, selectors_of
from game.view.overlays.overlay import NUMBERS_FROM, Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.painting.camera import Camera
from game.view.painting.palette import RGB
from game.world.world import World

SELECTOR = "cover"
"""Selector whose ratings are shown for the selected unit."""
POSTS = 8
"""Posts whose scores are drawn, the best first."""
COLOURS = (0, 1, 2, 4, 5, 3)
"""Colours of the criteria in the ramp of categories."""
CHARTS_FROM = 16
"""Zoom in pixels a tile from which a post shows its criteria."""
TOLD = 4
"""Terms that the value under the cursor names, the largest first."""


def ranking_for(context: LabContext) -> Ranking | None:
    """Return all places rated for the first selected unit, or None."""
    world: World = context.world
    if not context.selected:
        return None
    slot = world.units.slot(context.selected[0])
    if not world.units.alive[slot]:
        return None
    query = query_of(world, int(world.units.side[slot]), int(world.units.movement_class[slot]), read=False)
    return query.rank(SELECTOR, ask_of(world, slot))


def no_rating(context: LabContext) -> str:
    """Return why no place is rated, "" if places are."""
    if not context.selected:
        return "no unit is selected"
    side = int(context.world.units.side[context.world.units.slot(context.selected[0])])
    return "" if known_threats(context.world, side) else "its side knows of no enemy"


@overlay
class RatedPlaces(Overlay):
    """Ratings of places around the selected unit by the selector for cover."""

    name, title, channel, scope = "rated_places", "Rated places", Channel.FILL, Scope.SELECTED
    question = "How good is each place as cover for this unit?"

    def __init__(self) -> None:
        self._kept: tuple[Any, dict[tuple[int, int], float]] | None = None

    def stamp(self, context: LabContext) -> Any:
        """Return a key that changes four times a second and with the selection."""
        return context.world.level_digest, context.selected[:1], context.playing.picture.tick // 5

    def _ratings(self, context: LabContext) -> dict[tuple[int, int], float]:
        key = self.stamp(context)
        if self._kept is None or self._kept[0] != key:
            self._kept = key, self._rated(context)
        return self._kept[1]

    def _rated(self, context: LabContext) -> dict[tuple[int, int], float]:
        ranking = ranking_for(context)
        if ranking is None:
            return {}
        tiles, ratings = ranking.tiles.tolist(), ranking.ratings.tolist()
        return {(y, x): rating for (y, x), rating in zip(tiles, ratings, strict=True)}

    def fill(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return cividis by rating; rejected candidates are dark."""
        ramp = np.array(context.palette.ramps["cividis"], np.uint8)
        out = np.zeros((y1 - y0, x1 - x0, 4), np.uint8)
        for (y, x), rating in self._ratings(context).items():
            if y0 <= y < y1 and x0 <= x < x1:
                out[y - y0, x - x0, :3] = ramp[round(min(rating, 1.0) * (len(ramp) - 1))]
                out[y - y0, x - x0, 3] = 170
        return out

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the ramp."""
        ramp = tuple(context.palette.ramps["cividis"])
        facts = ", ".join(c.fact for c in selectors_of(context.world)[SELECTOR].criteria)
        return [LegendRow(f"product of {facts}", ramp[-1], "0 to 1", "ramp", ramp)]

    def empty(self, context: LabContext) -> str:
        """Return why nothing is shown."""
        return no_rating(context)

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the rating of the tile under the cursor."""
        rating = self._ratings(context).get((int(y), int(x)))
        return "no candidate" if rating is None else f"rated {rating:.2f}"


@dataclass(frozen=True)
class ScoredPost:
    """Post (x, y) with its score, and the part of each criterion or term.

    Parts of a selector are factors 0 to 1, those of an emergent member are terms with a sign.
    """

    x: float
    y: float
    score: float
    parts: tuple[float, ...]


@dataclass(frozen=True)
class ScoredPosts:
    """Best posts of a unit, and the names of their parts."""

    names: tuple[str, ...]
    posts: tuple[ScoredPost, ...]
    signed: bool


def posts_for(context: LabContext) -> ScoredPosts:
    """Return the best posts of the first selected unit, the best first.

    A member of a squad that fights as it sees fit has the three of the eleven terms, any other unit those of the
    selector of cover.
    """
    world: World = context.world
    unit = context.selected[0] if context.selected else -1
    squad = world.squads.of(unit) if unit >= 0 else None
    if squad is not None and squad.task is not None and squad.task.pictures is not None:
        places, terms = best_places(world, squad, squad.members.index(unit))
        found = [ScoredPost(x, y, float(t.sum()), tuple(t.tolist())) for (x, y), t in zip(places, terms, strict=True)]
        return ScoredPosts(TERMS, tuple(found), True)
    names = tuple(c.fact for c in selectors_of(world)[SELECTOR].criteria)
    ranking = ranking_for(context)
    if ranking is None:
        return ScoredPosts(names, (), False)
    valid = np.flatnonzero(ranking.ratings > 0)
    tiles = ranking.tiles[valid]
    order = valid[np.lexsort((tiles[:, 1], tiles[:, 0], -ranking.ratings[valid]))][:POSTS]
    posts = [
        ScoredPost(
            float(ranking.tiles[k, 1]) + 0.5, float(ranking.tiles[k, 0]) + 0.5, float(ranking.ratings[k]),
            tuple(ranking.factors[:, k].tolist()),
        )
        for k in order.tolist()
    ]  # fmt: skip
    return ScoredPosts(names, tuple(posts), False)


@overlay
class PostScores(Overlay):
    """Best posts of the selected unit, with a bar for each criterion."""

    name, title, channel, scope = "post_scores", "Posts by criterion", Channel.MARK, Scope.SELECTED
    question = "Which posts are best for this unit, and by which criterion?"
    like = "rated_places"

    def __init__(self) -> None:
        self._kept: tuple[Any, ScoredPosts] | None = None

    def posts(self, context: LabContext) -> ScoredPosts:
        """Return the posts, read four times a second."""
        key = context.world.level_digest, context.selected[:1], context.playing.picture.tick // 5
        if self._kept is None or self._kept[0] != key:
            self._kept = key, posts_for(context)
        return self._kept[1]

    def _colour(self, context: LabContext, k: int) -> RGB:
        colour: RGB = context.palette.ramps["okabe_ito"][COLOURS[k % len(COLOURS)]]
        return colour

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw chart, rank and score of each post; the best has a thick frame."""
        palette, text, found, zoom = context.palette, context.text, self.posts(context), camera.zoom
        boxes = []
        for post in found.posts:
            x, y = camera.to_screen(post.x, post.y)
            boxes.append(pygame.Rect(x - zoom // 2, y - zoom // 2, zoom, zoom))
            context.labels.reserve(boxes[-1])
        for k, (post, box) in enumerate(zip(found.posts, boxes, strict=True)):
            if not surface.get_clip().contains(box):
                continue
            pygame.draw.rect(surface, palette["rim"], box)
            if not found.signed and zoom >= CHARTS_FROM:
                wide = (zoom - 4) // len(post.parts)
                for i, part in enumerate(post.parts):
                    high = max(round(part * (zoom - 4)), 1)
                    bar = pygame.Rect(box.x + 2 + i * wide, box.bottom - 2 - high, wide - 1, high)
                    surface.fill(self._colour(context, i), bar)
            pygame.draw.rect(surface, palette["ink"], box, 3 if k == 0 else 1)
            if zoom < NUMBERS_FROM:
                continue
            if found.signed:
                text.draw(surface, box.center, str(k + 1), palette["ink"], "sans_bold", 14, "center")
            words = f"{k + 1}: {post.score:+.2f}" if found.signed else f"{k + 1}: {post.score:.2f}"
            context.labels.put(surface, text, words, box.center, zoom * 5 // 8, palette["ink"], palette["rim"])

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the colour of each criterion, or the words for eleven terms."""
        palette, found = context.palette, self.posts(context)
        best = LegendRow("thick frame: the best", palette["ink"], f"{len(found.posts)} posts", "ring")
        if found.signed:
            return [best, LegendRow("score: sum of eleven terms", palette["rim"], "", "plain")]
        rows = [LegendRow(name, self._colour(context, k), "0 to 1") for k, name in enumerate(found.names)]
        return [best, *rows, LegendRow("score: their product", palette["rim"], "0 to 1", "plain")]

    def empty(self, context: LabContext) -> str:
        """Return why nothing is shown."""
        found = self.posts(context)
        if found.posts:
            return ""
        return no_rating(context) or ("no free place is near" if found.signed else "no place near shields it")

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the parts of the score of the post here."""
        found = self.posts(context)
        for k, post in enumerate(found.posts):
            if max(abs(post.x - x), abs(post.y - y)) <= 0.5:
                named = list(zip(found.names, post.parts, strict=True))
                if not found.signed:
                    return f"post {k + 1}: " + " x ".join(f"{name} {part:.2f}" for name, part in named)
                most = sorted(named, key=lambda one: -abs(one[1]))[:TOLD]
                return f"post {k + 1}: " + ", ".join(f"{name} {part:+.2f}" for name, part in most)
        return ""

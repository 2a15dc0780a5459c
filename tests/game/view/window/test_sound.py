"""Sound: kinds and variants, voices, positions, volumes and a missing device."""

import itertools

import pygame
import pytest

from game.view.window.sound import VOICES, Sound, Volumes, place, sound_files

KINDS = {"select", "order", "step", "shot", "hit", "suspicion", "alarm", "end"}


@pytest.fixture
def sound(window):
    made = Sound(Volumes())
    yield made
    made.close()


@pytest.fixture
def long(sound):
    """Return sound with samples of 30 s.

    No sample then ends before the last one starts, even on a slow machine.
    """
    silence = bytes(30 * 44100 * 4)
    for kind in ("order", "shot", "alarm"):
        sound._variants[kind] = [pygame.mixer.Sound(buffer=silence) for _ in range(3)]
    return sound


def test_eight_kinds_with_three_variants_that_differ():
    files = sound_files()
    assert set(files) == KINDS
    for variants in files.values():
        assert len(variants) == 3
        assert all(a.read_bytes() != b.read_bytes() for a, b in itertools.combinations(variants, 2))


def test_variants_take_turns(long):
    for _ in range(3):
        long.play("order")
    playing = [pygame.mixer.Channel(i).get_sound() for i in range(3)]
    assert long.played["order"] == 3 and len({id(s) for s in playing}) == 3


def test_at_most_twelve_voices_play_and_the_alarm_always_plays(long):
    for _ in range(30):
        long.play("shot")
    assert pygame.mixer.get_num_channels() == VOICES == 12
    assert long.played["shot"] == VOICES
    long.play("alarm")
    assert long.played["alarm"] == 1


def test_volume_falls_with_distance_and_left_sounds_are_on_the_left():
    near, middle, far = (place(dx, 0, 20)[0] for dx in (0, 15, 40))
    assert near == 1 and near > middle > far >= 0 and place(500, 0, 20)[0] == 0
    assert place(-10, 0, 20)[1] < 0 < place(10, 0, 20)[1]
    assert abs(place(1e6, 0, 20)[1]) < 1, "the other channel is not silent"


def test_the_master_volume_multiplies_the_volume_of_each_kind():
    quiet = Volumes(master=0.5, effects=0.5, interface=0.0)
    assert quiet.of("shot") == 0.25 and quiet.of("select") == 0
    assert Volumes(master=0.0).of("alarm") == 0


@pytest.mark.usefixtures("window")
def test_without_a_device_every_call_does_nothing(monkeypatch):
    monkeypatch.setenv("SDL_AUDIODRIVER", "no such driver")
    pygame.mixer.quit()
    silent = Sound(Volumes())
    assert not silent.on
    silent.play("alarm")
    silent.play_at("shot", 3, 4, 20)
    silent.close()
    assert silent.played == {}

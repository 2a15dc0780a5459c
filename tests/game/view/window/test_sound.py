"""Sound: eight kinds of three variants, twelve voices at most, placed by the camera; silent without a device."""

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
    """The same with sounds of half a minute, so that none has died away before a slow machine has played the last."""
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


def test_at_most_twelve_voices_and_the_alarm_is_heard_all_the_same(long):
    for _ in range(30):
        long.play("shot")
    assert pygame.mixer.get_num_channels() == VOICES == 12
    assert long.played["shot"] == VOICES
    long.play("alarm")
    assert long.played["alarm"] == 1


def test_the_further_the_quieter_and_left_is_left():
    near, middle, far = (place(dx, 0, 20)[0] for dx in (0, 15, 40))
    assert near == 1 and near > middle > far >= 0 and place(500, 0, 20)[0] == 0
    assert place(-10, 0, 20)[1] < 0 < place(10, 0, 20)[1]
    assert abs(place(1e6, 0, 20)[1]) < 1, "the other ear still hears it"


def test_each_volume_has_its_kinds_and_the_first_is_over_all():
    quiet = Volumes(master=0.5, effects=0.5, interface=0.0)
    assert quiet.of("shot") == 0.25 and quiet.of("select") == 0
    assert Volumes(master=0.0).of("alarm") == 0


def test_without_a_device_every_call_does_nothing(monkeypatch, window):
    monkeypatch.setenv("SDL_AUDIODRIVER", "no such driver")
    pygame.mixer.quit()
    silent = Sound(Volumes())
    assert not silent.on
    silent.play("alarm")
    silent.play_at("shot", 3, 4, 20)
    silent.close()
    assert silent.played == {}

"""Indices of the packed settings follow the order of the fields."""

from dataclasses import fields

from ai.steering import settings_columns
from ai.steering.settings import SteeringSettings


def test_every_field_has_its_index() -> None:
    expected = {f"P_{f.name.upper()}": i for i, f in enumerate(fields(SteeringSettings))}
    assert {name: i for name, i in vars(settings_columns).items() if name.startswith("P_")} == expected

"""Options of `ropewalk train`."""

import shlex
from dataclasses import fields
from pathlib import Path

import pytest

from ropewalk.cli.arguments import Parser, parse_arguments
from ropewalk.cli.commands import train
from ropewalk.training.config import TrainingConfig


def parse_config(command: str) -> TrainingConfig:
    parser = Parser("ropewalk train", train.DESCRIPTION, {})
    train.add_arguments(parser)
    return train.make_config(parse_arguments(parser, shlex.split(command)[2:]))


def test_defaults_are_those_of_the_config() -> None:
    assert parse_config("ropewalk train tether-5 -o run") == TrainingConfig(("tether-5",))


@pytest.mark.parametrize("command", [command for command, _ in train.EXAMPLES])
def test_examples_are_valid(command: str) -> None:
    assert parse_config(command).specs


def test_every_field_of_the_config_has_one_option() -> None:
    names = [*train.SELFPLAY_HELP, *train.LEARNING_HELP]
    assert sorted([*names, "specs", "seed"]) == sorted(field.name for field in fields(TrainingConfig))


def test_commands_in_the_documentation_are_valid() -> None:
    text = (Path(__file__).parents[3] / "docs" / "training.md").read_text(encoding="utf-8")
    commands = [line.strip() for line in text.splitlines() if line.startswith("    ropewalk train ")]
    assert commands
    for command in commands:
        assert parse_config(command).specs

"""`argparse` speaks the reader's language."""

import argparse
import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from client_cli.argparse_words import TEXTS
from client_cli.cli import main

NEVER_SAID = {
    " (default: %(default)s)",
    "%(heading)s:",
    "%(prog)s: error: %(message)s\n",  # our own parser says errors in its own way
    "%(prog)s: warning: %(message)s\n",
    "%r is not callable",
    "'required' is an invalid argument for positionals",
    ".__call__() not defined",
    'argument "-" with mode %r',
    "argument '%(argument_name)s' is deprecated",
    "can't open '%(filename)s': %(error)s",
    "cannot have multiple subparser arguments",
    "cannot merge actions - two groups are named %r",
    "command '%(parser_name)s' is deprecated",
    "conflicting option string: %s",
    "conflicting subparser alias: %s",
    "conflicting subparser: %s",
    "dest= is required for options like %r",
    "expected %s argument",
    "expected at least one argument",
    "expected at most one argument",
    "invalid conflict_resolution value: %r",
    "invalid option string %(option)r: must start with a character %(prefix_chars)r",
    "mutually exclusive arguments must be optional",
    "one of the arguments %s is required",
    "option '%(option)s' is deprecated",
    "show program's version number and exit",
    "subcommands",
    "unknown parser %(parser_name)r (choices: %(choices)s)",
}
"""What `argparse` tells programmers, or of what our command line has not."""


def texts_of_argparse() -> Iterator[str]:
    for node in ast.walk(ast.parse(Path(argparse.__file__).read_text(encoding="utf-8"))):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in {"_", "ngettext"}
        ):
            for text in node.args[:1]:
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    yield text.value


def test_all_it_can_say_here_is_known() -> None:
    said = set(texts_of_argparse())
    assert "usage: " in said
    assert sorted(said - set(TEXTS) - NEVER_SAID) == []


@pytest.mark.parametrize(
    ("arguments", "command", "said"),
    [
        ([], "cellrace", "faltam os argumentos: COMANDO"),
        (["join"], "cellrace join", "faltam os argumentos: CÓDIGO"),
        (
            ["play", "--lang", "xx"],
            "cellrace play",
            "argumento --lang: escolha inválida: 'xx' (há 'en', 'pt')",
        ),
        (["play", "--cells"], "cellrace play", "argumento --cells: é preciso um valor"),
        (["rules", "--text"], "cellrace", "argumentos desconhecidos: --text"),
        (
            ["bot", "A", "--moves", "-", "--pace", "x"],
            "cellrace bot",
            "argumento --pace: valor inválido para int: 'x'",
        ),
        (
            ["whoami", "--local", "--export"],
            "cellrace whoami",
            "argumento --export: não combina com o argumento --local",
        ),
        (["play", "--new=x"], "cellrace play", "argumento --new: o valor 'x' não cabe aqui"),
    ],
)
def test_errors_of_the_command_line(
    arguments: list[str],
    command: str,
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LANG", "pt_PT.UTF-8")
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert capsys.readouterr().err == f"{command}: {said} ({command} --help mostra como)\n"

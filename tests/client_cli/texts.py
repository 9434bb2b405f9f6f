"""The texts of the interface, read out of its source: the client's own, and the sentences of the server."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeAlias

ROOT: Final = Path(__file__).parents[2]

_ASKING: Final = {"tr": 1, "trn": 1, "mark": 1}
"""What is asked for a text in the reader's language, by how many of its arguments that is."""

_SAYING: Final = {"say": 0, "counted": 0}
"""Where the server makes sentences, by the place of the text among the arguments."""

_TAKING: Final = {
    "BadName": 0,
    "CodeError": 0,
    "DealError": 0,
    "Illegal": 1,
    "Refusal": 1,
    "RulesError": 0,
    "say_bye": 1,
}
"""What takes a sentence, likewise: a plain text will do where it has no gaps."""

_FOLDERS: Final = ("server/daily", "server/freecell", "server/gateway", "server/race")
"""Where sentences for players are made; whoever runs the server is spoken to in English."""

_TELLING: Final = {"BadSetting", "ClientError", "Over", "Unclear", "add_argument_group", "prompt", "say"}
"""What brings a text of the client's to a person."""

_NAMED: Final = {"help", "title"}
"""The same, given by name, as to `argparse`."""

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_Names: TypeAlias = dict[str, list[ast.expr]]
"""All that each name of a function stands for."""


def texts() -> Iterator[str]:
    """Every text given to `tr`, `trn` (its singular) or `mark`, in the order of the files."""
    for path in _sources("client_cli"):
        for call in _calls(ast.parse(path.read_text(encoding="utf-8")), set(_ASKING)):
            yield from _literals(call.args[0], {})


def server_texts() -> Iterator[str]:
    """Every text of which the server makes what it says to people (its singular), likewise."""
    for _, call, names in _server_calls():
        yield from _literals(_sentence_of(call), names)


def untranslated() -> Iterator[str]:
    """Where the client says to a person what it did not look up."""
    for path in _sources("client_cli"):
        for text in untranslated_in(path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(ROOT)}: {text}"


def untranslated_in(source: str) -> Iterator[str]:
    """The same in the text of one module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            told = node.args if _name(node) in _TELLING else []
            named = [keyword.value for keyword in node.keywords if keyword.arg in _NAMED]
            for text in (*told, *named):
                if any(letter.isalpha() for letter in _plain(text)):
                    yield ast.unparse(text)


def untranslatable() -> Iterator[str]:
    """Where the server says what no catalogue can know: by an f-string, or in a way that hides its text."""
    passing = {*_SAYING, "words_of", *_makers()}
    for path, call, names in _server_calls():
        sentence = _sentence_of(call)
        is_known = any(_literals(sentence, names)) or (
            _name(call) in _TAKING and _is_sentence(sentence, names, passing)
        )
        if not is_known:
            yield f"{path.relative_to(ROOT)}:{call.lineno}: {ast.unparse(sentence)}"


def _sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def _server_calls() -> Iterator[tuple[Path, ast.Call, _Names]]:
    """Every call with a sentence, where it is, and what the names around it stand for."""
    for path in _sources(*_FOLDERS):
        if path.name != "wording.py":
            rest, functions = _taken_apart(path)
            for scope in (rest, *functions):
                names = _assigned(scope)
                for call in _calls(scope, {*_SAYING, *_TAKING}):
                    yield path, call, names


def _sentence_of(call: ast.Call) -> ast.expr:
    return call.args[(_SAYING | _TAKING)[_name(call)]]


def _makers() -> Iterator[str]:
    """Functions of the server's own that say that they make a sentence."""
    for path in _sources(*_FOLDERS):
        for function in _taken_apart(path)[1]:
            if function.returns is not None and "Wording" in ast.dump(function.returns):
                yield function.name


def _taken_apart(path: Path) -> tuple[ast.Module, list[_Function]]:
    """What is outside of the functions of a file, and the outermost of them."""
    module = ast.parse(path.read_text(encoding="utf-8"))
    found: list[_Function] = []

    class Taker(ast.NodeTransformer):
        def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
            found.append(node)

        def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
            found.append(node)

    Taker().visit(module)
    return module, found


def _calls(tree: ast.AST, names: set[str]) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node) in names and node.args:
            yield node


def _name(call: ast.Call) -> str:
    match call.func:
        case ast.Name(name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _assigned(scope: ast.AST) -> _Names:
    found: _Names = {}
    for node in ast.walk(scope):
        match node:
            case ast.Assign([ast.Name(name)], value) | ast.AugAssign(ast.Name(name), _, value):
                found.setdefault(name, []).append(value)
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
                for target, value in zip(targets, values, strict=True):
                    if isinstance(target, ast.Name):
                        found.setdefault(target.id, []).append(value)
            case _:
                pass
    return found


def _plain(text: ast.expr) -> str:
    """What stands in a text as it is."""
    match text:
        case ast.Constant(str(plain)):
            return plain
        case ast.JoinedStr(parts):
            return "".join(map(_plain, parts))
        case _:
            return ""


def _literals(expression: ast.expr, names: _Names) -> Iterator[str]:
    match expression:
        case ast.Constant(str(text)):
            yield text
        case ast.IfExp(_, one, other):
            yield from (*_literals(one, names), *_literals(other, names))
        case ast.Name(name):
            for value in names.get(name, ()):
                yield from _literals(value, {})
        case _:
            return


def _is_sentence(expression: ast.expr, names: _Names, passing: set[str]) -> bool:
    """Whether it is a plain text, or made by what the server makes sentences with."""
    match expression:
        case ast.Constant(str()) | ast.Attribute():
            return True
        case ast.Call():
            return _name(expression) in passing
        case ast.BinOp(one, ast.Add(), other) | ast.IfExp(_, one, other):
            return all(_is_sentence(part, names, passing) for part in (one, other))
        case ast.Name(name):
            return all(_is_sentence(value, {}, passing) for value in names.get(name, ()))
        case _:
            return False

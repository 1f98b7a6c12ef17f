"""As much YAML as a configuration needs where the programs of the sandbox are not installed, such as on a client's machine.

Block mappings, plain and quoted scalars, comments, flow lists of scalars and block lists of scalars. Only one section is wanted: what
is in other sections is passed over by its indentation. In the wanted section anything else is an error that names its line; nothing
is guessed.
"""
import re
from typing import Any, Dict, List, Tuple

__all__ = ["ConfigError", "read_section"]

_KEY = re.compile(r"^([A-Za-z_][A-Za-z0-9_.-]*|\"[^\"\\]*\"|'[^']*')\s*:(?:\s+(.*))?$")
_ESCAPES = {'"': '"', "\\": "\\", "n": "\n", "t": "\t", "/": "/"}
Line = Tuple[int, int, str]  # number, indentation, text without comment


class ConfigError(ValueError):
    pass


def _strip_comment(text: str) -> str:
    quote = ""
    skip = False
    for i, c in enumerate(text):
        if skip:
            skip = False
        elif quote:
            if c == "\\" and quote == '"':
                skip = True
            elif c == quote:
                quote = ""
        elif c in "\"'" and (i == 0 or text[i - 1] in " [,:"):
            quote = c
        elif c == "#" and (i == 0 or text[i - 1] in " \t"):
            return text[:i].rstrip()
    return text.rstrip()


def _lines(text: str) -> List[Line]:
    found = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = _strip_comment(raw)
        body = line.lstrip(" ")
        if body and not (body in ("---", "...") and len(body) == len(line)):
            found.append((number, len(line) - len(body), body))
    return found


def _double_quoted(text: str, number: int) -> str:
    out = []
    i = 1
    while i < len(text) - 1:
        c = text[i]
        if c == "\\":
            i += 1
            if text[i] not in _ESCAPES or i == len(text) - 1:
                raise ConfigError("line %d: \\%s in a quoted text is not known here" % (number, text[i]))
            c = _ESCAPES[text[i]]
        elif c == '"':
            raise ConfigError("line %d: words after a quoted text" % number)
        out.append(c)
        i += 1
    return "".join(out)


def _scalar(text: str, number: int) -> Any:
    if text[:1] == '"':
        if len(text) < 2 or text[-1] != '"':
            raise ConfigError("line %d: a quoted text does not end" % number)
        return _double_quoted(text, number)
    if text[:1] == "'":
        if len(text) < 2 or text[-1] != "'" or "'" in text[1:-1].replace("''", ""):
            raise ConfigError("line %d: a quoted text does not end" % number)
        return text[1:-1].replace("''", "'")
    if text[:1] in "&*!|>{}[]%@`?," and text:
        raise ConfigError("line %d: %r: only mappings, lists and scalars are read here" % (number, text[:1]))
    if text in ("", "~", "null"):
        return None
    if text in ("true", "false"):
        return text == "true"
    return int(text) if re.match(r"^[+-]?(0|[1-9][0-9]*)$", text) else text


def _value(text: str, number: int) -> Any:
    if not (text.startswith("[") and text.endswith("]")):
        return _scalar(text, number)
    inside = text[1:-1].strip()
    if any(c in inside for c in "[]{}\"'") and not re.match(r"^(\s*(\"[^\",]*\"|'[^',]*'|[^\[\]{}\"',]+)\s*,?)*$", inside):
        raise ConfigError("line %d: a list of plain texts is read here" % number)
    return [_scalar(item.strip(), number) for item in inside.split(",") if item.strip()]


def _key(line: Line) -> Tuple[str, str]:
    match = _KEY.match(line[2])
    if not match:
        raise ConfigError("line %d: expected «key: value»" % line[0])
    return match.group(1).strip("\"'"), (match.group(2) or "").strip()


def _block_end(lines: List[Line], start: int, indent: int) -> int:
    """A list may stand at its key's own indentation."""
    i = start
    while i < len(lines) and (lines[i][1] > indent or (lines[i][1] == indent and lines[i][2].startswith("- "))):
        i += 1
    return i


def _sequence(lines: List[Line]) -> List[Any]:
    for number, indent, text in lines:
        if indent != lines[0][1] or not text.startswith("- "):
            raise ConfigError("line %d: a list of plain texts is read here" % number)
    return [_scalar(text[2:].strip(), number) for number, _, text in lines]


def _mapping(lines: List[Line]) -> Dict[str, Any]:
    found: Dict[str, Any] = {}
    i = 0
    while i < len(lines):
        number, indent, _ = lines[i]
        if indent != lines[0][1]:
            raise ConfigError("line %d: this indentation fits nothing above" % number)
        name, rest = _key(lines[i])
        if name in found:
            raise ConfigError("line %d: %s a second time" % (number, name))
        end = _block_end(lines, i + 1, indent)
        inner = lines[i + 1:end]
        if rest and inner:
            raise ConfigError("line %d: %s has a value on its line and one below" % (number, name))
        if inner:
            found[name] = _sequence(inner) if inner[0][2].startswith("- ") else _mapping(inner)
        else:
            found[name] = _value(rest, number)
        i = end
    return found


def read_section(text: str, path: List[str]) -> Dict[str, Any]:
    """The mapping below path, such as ["endpoints", "api"]; empty when it is not there."""
    lines = _lines(text)
    for name in path:
        i = 0
        while i < len(lines):
            end = _block_end(lines, i + 1, lines[i][1])
            match = _KEY.match(lines[i][2])
            if match and match.group(1).strip("\"'") == name:
                if match.group(2) and match.group(2).strip() not in ("~", "null", "{}"):
                    raise ConfigError("line %d: %s is no mapping in lines of its own" % (lines[i][0], name))
                lines = lines[i + 1:end]
                break
            i = end
        else:
            return {}
    return _mapping(lines)

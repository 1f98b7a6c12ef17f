"""YAML as the service reads it, for a client on a machine where the programs of the sandbox are not installed.

The service takes the plain core of YAML (src/config/yaml.h): one document of mappings, lists and scalars in every
style: block and flow, plain, quoted, literal and folded, over several lines, with comments. It refuses anchors,
aliases, tags, directives and further documents. This reader takes the same. Only one section is wanted: what is in
other sections must be YAML, and is not judged. An error names its line; nothing is guessed. """
import re
from bisect import bisect_right
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

__all__ = ["ConfigError", "read_section"]

MAX_TEXT = 256 * 1024  # as the service
MAX_DEPTH = 64
_INTEGER = re.compile(r"[+-]?(0|[1-9][0-9]*)")
_BREAKS = re.compile("\r\n|[\r\x85\u2028\u2029]")
_ESCAPES = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "t": "\t",
    "\t": "\t",
    "n": "\n",
    "v": "\v",
    "f": "\f",
    "r": "\r",
    "e": "\x1b",
    " ": " ",
    '"': '"',
    "/": "/",
    "\\": "\\",
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
}
_HEX = {"x": 2, "u": 4, "U": 8}
_REFUSED = {"&": "an anchor (&)", "!": "a tag (!)", "*": "an alias (*)"}
_BLANK = " \t\n\0"


class ConfigError(ValueError):
    """A file is not YAML, or not of the kind that the service takes."""


class _Scalar(NamedTuple):
    text: str
    is_plain: bool
    line: int
    refused: str = ""  # anchor, alias, tag: an error where the value is wanted


class _List(NamedTuple):
    items: List[Any]
    line: int
    refused: str = ""


class _Map(NamedTuple):
    pairs: List[Tuple[Any, Any]]
    line: int
    refused: str = ""


_Node = Union[_Scalar, _List, _Map]


class _Reader:
    """A descent by indentation. `at` is where it reads; `parent` is always the indentation of what a node belongs
    to."""

    def __init__(self, text: str) -> None:
        text = _BREAKS.sub("\n", text[1:] if text.startswith("\ufeff") else text)
        self.text = text + "\n\0\0\0\0"  # a character and what follows it can always be looked at
        self.end = len(text) + 1
        self.at = 0
        self.depth = 0
        self.starts = [0] + [m.end() for m in re.finditer("\n", text)]

    # ---- where it reads ----

    @property
    def line(self) -> int:
        return bisect_right(self.starts, self.at)

    @property
    def column(self) -> int:
        return self.at - self.starts[self.line - 1]

    @property
    def char(self) -> str:
        return self.text[self.at]

    def error(self, text: str, line: int = 0) -> ConfigError:
        return ConfigError("line %d: %s" % (line or min(self.line, len(self.starts)), text))

    def is_at(self, indicators: str) -> bool:
        """At one of - ? : as an indicator, not as the beginning of a text."""
        return self.char in indicators and self.text[self.at + 1] in _BLANK

    def is_marker(self, at: Optional[int] = None) -> bool:
        at = self.at if at is None else at
        return (
            self.text[at : at + 3] in ("---", "...")
            and self.text[at + 3] in _BLANK
            and (at == 0 or self.text[at - 1] == "\n")
        )

    @property
    def is_over(self) -> bool:
        return self.at >= self.end or self.is_marker()

    def skip_spaces(self) -> None:
        while self.char in " \t":
            self.at += 1

    def skip(self) -> None:
        """Over spaces, comments and empty lines."""
        while True:
            self.skip_spaces()
            if self.char == "#":
                self.at = self.text.index("\n", self.at)
            if self.char != "\n" or self.at >= self.end:
                return
            self.at += 1

    # ---- block style ----

    def document(self) -> Optional[_Node]:
        self.skip()
        if self.char == "%":
            raise self.error("a directive (%); expected plain YAML")
        if self.is_marker() and self.char == "-":
            self.at += 3
            self.skip()
        node = None if self.is_over else self.block(-1)
        self.skip()
        if self.is_marker() and self.char == ".":
            self.at += 3
            self.skip()
        if self.at < self.end:
            raise self.error("expected the end of a single document")
        return node

    def block(self, parent: int, has_key_before: bool = False) -> _Node:
        """The node that begins here. has_key_before: on the line of its key, where no mapping and no list begins."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error("nested more than %d deep" % MAX_DEPTH)
        first, column = self.line, self.column
        refused = self.properties()
        if refused and self.line > first:  # the node itself is on a later line, or there is none
            has_key_before, column = False, self.column
        if refused and (self.is_over or column <= parent):
            node: _Node = _Scalar("", True, first)
        elif self.is_at("-") and not has_key_before:
            node = self.sequence(column)
        elif self.is_at("?") and not has_key_before:
            node = self.mapping(column, None)
        elif self.char in "|>":
            node = self.block_scalar(parent)
        else:
            node = self.scalar_or_mapping(parent, column, has_key_before)
        self.depth -= 1
        return node._replace(refused=refused) if refused else node

    def properties(self) -> str:
        refused = ""
        while self.char in "&!*" and self.at < self.end:
            refused = refused or _REFUSED[self.char]
            is_alias = self.char == "*"
            while self.char not in " \t\n,]}\0":
                self.at += 1
            if is_alias:
                break  # stands for a value
            self.skip()
        return refused

    def scalar_or_mapping(self, parent: int, column: int, has_key_before: bool) -> _Node:
        first = self.line
        node = self.flow() if self.char in "[{" else self.quoted() if self.char in "\"'" else self.plain(parent)
        end = self.at
        self.skip_spaces()
        if not self.is_at(":"):
            self.at = end
            return node
        if not isinstance(node, _Scalar) or self.line > first:
            raise self.error("expected a key of one line", first)
        if has_key_before:
            raise self.error("a second key on the line of a key")
        return self.mapping(column, node)

    def mapping(self, column: int, key: Optional[_Scalar]) -> _Map:
        pairs: List[Tuple[Any, Any]] = []
        first = self.line
        while True:
            is_explicit = key is None and self.is_at("?")
            if is_explicit:
                self.at += 1
                name: Any = self.value(column, has_key_before=False)
                self.skip()
                has_value = self.column == column and self.is_at(":")
            else:
                name = key or self.key()
                has_value = True
            if has_value:
                self.at += 1
                pairs.append((name, self.value(column, has_key_before=not is_explicit)))
            else:
                pairs.append((name, None))
            key = None
            self.skip()
            if self.is_over or self.column < column:
                return _Map(pairs, first)
            if self.column > column or self.is_at("-"):
                raise self.error("this indentation fits nothing above")

    def key(self) -> _Scalar:
        first = self.line
        if self.char in "&!*":
            raise self.error("%s; expected a plain key" % _REFUSED[self.char])
        key = self.quoted() if self.char in "\"'" else self.plain(1 << 30)  # no line continues it
        self.skip_spaces()
        if not self.is_at(":") or self.line > first:
            raise self.error("expected «key: value»", first)
        return key

    def value(self, column: int, has_key_before: bool) -> Optional[_Node]:
        """Behind the indicator of a key that is indented by `column`: on its line or below."""
        first = self.line
        self.skip()
        if self.is_over:
            return None
        if self.line == first:
            if self.is_at("-") and has_key_before:
                raise self.error("a list begins on a line of its own")
            return self.block(column, has_key_before)
        if self.column > column or (self.column == column and (self.char in "|>" or self.is_lone())):
            return self.block(column)
        if self.column == column and self.is_at("-"):
            return self.block(column - 1)
        return None

    def is_lone(self) -> bool:
        """A quoted text or a bracket that is no key: it may stand at its key's own indentation."""
        start, is_key = self.at, True
        if self.char in "\"'[{":
            _ = self.flow() if self.char in "[{" else self.quoted()
            self.skip_spaces()
            is_key = self.char == ":"
        self.at = start
        return not is_key

    def sequence(self, column: int) -> _List:
        items: List[Any] = []
        first = self.line
        while True:
            here = self.line
            self.at += 1
            self.skip()
            is_empty = self.is_over or (self.line > here and self.column <= column)
            items.append(None if is_empty else self.block(column))
            self.skip()
            if self.is_over or self.column < column or (self.column == column and not self.is_at("-")):
                return _List(items, first)
            if self.column > column:
                raise self.error("this indentation fits nothing above")

    # ---- scalars ----

    def plain(self, parent: int, is_flow: bool = False) -> _Scalar:
        """Goes on in lines that are indented deeper than `parent`."""
        first = self.line
        if self.char in ",[]{}#&*!|>'\"%@`" or (
            self.char in "-?:"
            and (self.text[self.at + 1] in _BLANK or (is_flow and self.text[self.at + 1] in ",[]{}"))
        ):
            raise self.error("%r: expected a value" % self.char)
        text = ""
        while True:
            text += self.plain_line(is_flow)
            breaks, at = 0, self.at
            self.skip_spaces()
            while self.char == "\n" and self.at < self.end:
                breaks += 1
                self.at += 1
                self.skip_spaces()
            is_out = not is_flow and self.column <= parent
            if (
                not breaks
                or self.at >= self.end
                or self.char == "#"
                or is_out
                or self.is_marker()
                or (is_flow and (self.char in ",[]{}" or self.is_colon(True)))
            ):
                self.at = at
                return _Scalar(text, True, first)
            if not is_flow and self.is_at(":"):
                raise self.error("expected a key of one line", first)
            text += " " if breaks == 1 else "\n" * (breaks - 1)

    def is_colon(self, is_flow: bool) -> bool:
        return self.char == ":" and (
            self.text[self.at + 1] in _BLANK or (is_flow and self.text[self.at + 1] in ",[]{}")
        )

    def plain_line(self, is_flow: bool) -> str:
        start = self.at
        while self.char != "\n" and self.at < self.end:
            if (
                self.is_colon(is_flow)
                or (is_flow and self.char in ",[]{}")
                or (self.char == "#" and self.text[self.at - 1] in " \t")
            ):
                break
            self.at += 1
        text = self.text[start : self.at].rstrip(" \t")
        self.at = start + len(text)
        return text

    def quoted(self) -> _Scalar:
        first, quote = self.line, self.char
        self.at += 1
        out: List[str] = []
        while True:
            c = self.char
            if self.at >= self.end or self.is_marker():
                raise self.error("a quoted text does not end", first)
            if c == quote and not (c == "'" and self.text[self.at + 1] == "'"):
                self.at += 1
                return _Scalar("".join(out), False, first)
            if c == quote:
                self.at += 2
                out.append(c)
            elif c == "\\" and quote == '"':
                self.at += 1
                out.append(self.escape())
            elif c in " \t\n":
                out.append(self.folded())
            else:
                self.at += 1
                out.append(c)

    def escape(self) -> str:
        c = self.char
        self.at += 1
        if c == "\n":  # the line goes on in the next one, behind lines that are empty
            self.at -= 1
            return self.folded().lstrip(" ")
        if c in _HEX:
            digits = self.text[self.at : self.at + _HEX[c]]
            self.at += _HEX[c]
            if (
                re.fullmatch("[0-9A-Fa-f]{%d}" % _HEX[c], digits)
                and int(digits, 16) < 0x110000
                and not 0xD800 <= int(digits, 16) < 0xE000
            ):
                return chr(int(digits, 16))
        if c not in _ESCAPES:
            raise self.error("\\%s in a quoted text is no escape" % c)
        return _ESCAPES[c]

    def folded(self) -> str:
        """White space in a quoted text: a line break is a space, further ones are kept."""
        start = self.at
        self.skip_spaces()
        if self.char != "\n":
            return self.text[start : self.at]
        breaks = 0
        while self.char == "\n" and self.at < self.end:
            breaks += 1
            self.at += 1
            if self.is_marker():
                raise self.error("a quoted text does not end")
            self.skip_spaces()
        return " " if breaks == 1 else "\n" * (breaks - 1)

    def block_scalar(self, parent: int) -> _Scalar:
        first, style = self.line, self.char
        head = re.compile(r"[|>](?:([1-9])([+-]?)|([+-])([1-9]?))?[ \t]*(?:#[^\n]*)?\n").match(self.text, self.at)
        if not head:
            raise self.error("expected nothing behind %s but + or -, a digit, a comment" % style)
        digit, chomp = head.group(1) or head.group(4), head.group(2) or head.group(3)
        self.at = head.end()
        indent = max(parent, 0) + int(digit) if digit else self.found_indent(parent)
        lines: List[str] = []
        while self.at < self.end and not self.is_marker():
            stop = self.text.index("\n", self.at)
            line = self.text[self.at : stop]
            if line[:indent].strip(" "):
                break
            lines.append(line[indent:])
            self.at = min(stop + 1, self.end)
        kept = len(lines)
        while kept and not lines[kept - 1]:
            kept -= 1
        text = "\n".join(lines[:kept]) if style == "|" else self.fold(lines[:kept])
        tail = {"-": "", "+": "\n" * (len(lines) - kept + (1 if kept else 0))}.get(chomp or "", "\n" if kept else "")
        self.at -= (
            1 if self.at < self.end and self.text[self.at - 1] == "\n" else 0
        )  # at the end of its last line, as other nodes
        return _Scalar(text + tail, False, first)

    def found_indent(self, parent: int) -> int:
        deepest = 0
        for match in re.compile(r"( *)([^\n]?)").finditer(self.text, self.at, self.end):
            if self.text[match.start() - 1] == "\n":
                deepest = max(deepest, len(match.group(1)))
                if match.group(2):
                    break
        return max(deepest, parent + 1, 1)

    @staticmethod
    def fold(lines: List[str]) -> str:
        text, blank = "", 0
        previous = None
        for line in lines:
            if not line:
                blank += 1
                continue
            if previous is None:
                text = "\n" * blank
            elif line[0] in " \t" or previous[0] in " \t":
                text += "\n" * (blank + 1)
            else:
                text += "\n" * blank if blank else " "
            text, previous, blank = text + line, line, 0
        return text

    # ---- flow style ----

    def flow(self) -> _Node:
        """A list or a mapping in brackets, over any lines."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error("nested more than %d deep" % MAX_DEPTH)
        first, is_map = self.line, self.char == "{"
        close = "}" if is_map else "]"
        self.at += 1
        items: List[Any] = []
        pairs: List[Tuple[Any, Any]] = []
        self.flow_skip(first)
        while self.char != close:
            key, has_value, value = self.flow_entry(first)
            if is_map:
                pairs.append((key, value))
            else:
                items.append(_Map([(key, value)], first) if has_value else key)
            self.flow_skip(first)
            if self.char == ",":
                self.at += 1
                self.flow_skip(first)
            elif self.char != close:
                raise self.error("expected , or %s" % close)
        self.at += 1
        self.depth -= 1
        return _Map(pairs, first) if is_map else _List(items, first)

    def flow_skip(self, first: int) -> None:
        self.skip()
        if self.is_over:
            raise self.error("a bracket is not closed", first)

    def flow_entry(self, first: int) -> Tuple[Any, bool, Any]:
        """-> item or key, whether there is a value, and that."""
        key: Any = None
        is_key = self.char == "?"
        if is_key:
            self.at += 1
            self.flow_skip(first)
        if self.char not in ":,]}":
            key = self.flow_node()
        self.flow_skip(first)
        if self.char != ":":
            return key, is_key, None
        self.at += 1
        self.flow_skip(first)
        return key, True, None if self.char in ",]}" else self.flow_node()

    def flow_node(self) -> _Node:
        refused = self.properties()
        if refused and self.char in ",]}:":
            return _Scalar("", True, self.line, refused)
        node = (
            self.flow() if self.char in "[{" else self.quoted() if self.char in "\"'" else self.plain(-1, is_flow=True)
        )
        return node._replace(refused=refused) if refused else node


def _name(key: Any, line: int) -> str:
    if not isinstance(key, _Scalar) or key.refused:
        raise ConfigError(
            "line %d: expected a key, found %s" % (line, getattr(key, "refused", "") or "something else")
        )
    if key.text == "<<" and key.is_plain:
        raise ConfigError("line %d: a merge key (<<); expected the keys themselves" % key.line)
    return key.text


def _plain(text: str) -> Any:
    if text in ("", "~") or text.lower() == "null":
        return None
    if text in ("true", "false"):
        return text == "true"
    return int(text) if len(text) < 20 and _INTEGER.fullmatch(text) else text


def _python(node: Optional[_Node]) -> Any:
    if node is None:
        return None
    if node.refused:
        raise ConfigError("line %d: %s; expected the value itself" % (node.line, node.refused))
    if isinstance(node, _Scalar):
        return _plain(node.text) if node.is_plain else node.text
    if isinstance(node, _List):
        return [_python(item) for item in node.items]
    found: Dict[str, Any] = {}
    for key, value in node.pairs:
        name = _name(key, node.line)
        if name in found:
            raise ConfigError("line %d: %s a second time" % (key.line, name))
        found[name] = _python(value)
    return found


def read_section(text: str, path: List[str]) -> Dict[str, Any]:
    """The mapping below path, such as ["endpoints", "api"]; empty when it is not there."""
    if len(text.encode("utf-8", "replace")) > MAX_TEXT:
        raise ConfigError("line 1: larger than %d KiB" % (MAX_TEXT // 1024))
    if "\0" in text:
        raise ConfigError("line %d: a NUL character" % (text.count("\n", 0, text.index("\0")) + 1))
    node = _Reader(text).document()
    for depth, name in enumerate([*path, None]):
        if node is None or (
            isinstance(node, _Scalar) and node.is_plain and not node.refused and _plain(node.text) is None
        ):
            return {}
        if not isinstance(node, _Map) or node.refused:
            raise ConfigError(
                "line %d: %s: expected a mapping of keys%s"
                % (node.line, ".".join(path[:depth]) or "the file", ", found " + node.refused if node.refused else "")
            )
        if name is None:
            break
        wanted = [(k, v) for k, v in node.pairs if isinstance(k, _Scalar) and k.text == name]
        if len(wanted) > 1:
            raise ConfigError("line %d: %s a second time" % (wanted[1][0].line, ".".join(path[: depth + 1])))
        node = wanted[0][1] if wanted else None
    found: Dict[str, Any] = _python(node)
    return found

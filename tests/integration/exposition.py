"""exposition.py - a strict reader of Prometheus' text format 0.0.4: what it does not expect is an error, as with
promtool.

    families(text) -> {name: Family}
"""
import dataclasses
import math
import re

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
SAMPLE = re.compile(r'(%s)(?:\{(.*)\})? (\S+)' % NAME)
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)')
SUFFIXES = {"histogram": ("_bucket", "_sum", "_count"), "counter": ("",), "gauge": ("",)}
UNITS = ("seconds", "bytes")
OTHER_UNITS = ("milliseconds", "microseconds", "ms", "us", "kilobytes", "megabytes", "kb", "mb", "minutes", "hours",
               "percent")


@dataclasses.dataclass
class Family:
    name: str
    help: str
    kind: str
    samples: list  # (suffix, labels, value)

    def value(self, suffix="", **labels):
        found = [v for s, l, v in self.samples if s == suffix and l == labels]
        assert len(found) == 1, (self.name, suffix, labels, found)
        return found[0]


def labels_of(text):
    found, rest = {}, text
    while rest:
        m = LABEL.match(rest)
        assert m, "labels: %r" % text
        assert m[1] not in found, "twice: %r" % text
        found[m[1]] = m[2]
        rest = rest[m.end():]
        assert rest or m[3] == "", "a comma at the end: %r" % text
    assert text != ""
    return found


def number(text):
    assert re.fullmatch(r"[+-]?(\d+(\.\d+)?(e[+-]?\d+)?|Inf|NaN)", text), text
    return float(text)


def sample_of(line, family):
    m = SAMPLE.fullmatch(line)
    assert m, line
    assert (m[1].startswith(family.name)
            and m[1][len(family.name):] in SUFFIXES[family.kind]), "%r among the samples of %s" % (line, family.name)
    return m[1][len(family.name):], labels_of(m[2]) if m[2] is not None else {}, number(m[3])


def families(text):
    assert text.endswith("\n") and "\r" not in text and "\n\n" not in text and text.isascii()
    found, family, promised = {}, None, None
    for line in text[:-1].split("\n"):
        head = re.fullmatch(r"# (HELP|TYPE) (%s) (\S.*)" % NAME, line)
        if head and head[1] == "HELP":
            assert head[2] not in found and promised is None, line
            promised = (head[2], head[3])
        elif head:
            assert promised and promised[0] == head[2] and head[3] in SUFFIXES, line
            family = found[head[2]] = Family(head[2], promised[1], head[3], [])
            promised = None
        else:
            assert family and promised is None, "a sample without HELP and TYPE: %r" % line
            family.samples.append(sample_of(line, family))
    for family in found.values():
        check(family)
    return found


def check(family):
    assert family.samples, "%s has no samples" % family.name
    seen = [(s, tuple(sorted(l.items()))) for s, l, _ in family.samples]
    assert len(seen) == len(set(seen)), "%s has a sample twice" % family.name
    assert (family.kind == "counter") == family.name.endswith("_total"), family.name
    assert not [w for w in family.name.split("_") if w in OTHER_UNITS], family.name
    assert family.kind == "histogram" or all("le" not in l for _, l, _ in family.samples), family.name
    assert family.kind == "gauge" or all(v >= 0 for _, _, v in family.samples), family.name
    names = {frozenset(set(l) - {"le"}) for _, l, _ in family.samples}
    assert len(names) == 1, "%s has samples with different labels: %s" % (family.name, names)
    if family.kind == "histogram":
        check_histogram(family)


def check_histogram(family):
    series = {}
    for suffix, labels, value in family.samples:
        own = tuple(sorted((k, v) for k, v in labels.items() if k != "le"))
        assert (suffix == "_bucket") == ("le" in labels), family.name
        series.setdefault(own, {"_bucket": []})
        if suffix == "_bucket":
            series[own]["_bucket"].append((number(labels["le"]), value))
        else:
            series[own][suffix] = value
    for own, parts in series.items():
        bounds, counts = zip(*parts["_bucket"])
        assert list(bounds) == sorted(set(bounds)) and math.isinf(bounds[-1]), (family.name, own, bounds)
        assert list(counts) == sorted(counts) and counts[-1] == parts["_count"], (family.name, own, counts)
        assert "_sum" in parts

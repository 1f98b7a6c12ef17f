import re

TOKEN = re.compile(r'\s*(?:([{}\[\]:,])|"((?:[^"\\]|\\.)*)"|(-?\d+(?:\.\d+)?)|(true|false|null))')


def tokens(text):
    at = 0
    while at < len(text):
        m = TOKEN.match(text, at)
        if not m:
            raise SyntaxError(text[at : at + 10])
        at = m.end()
        yield m.lastindex, m.group(m.lastindex)


def parse(stream):
    kind, value = next(stream)
    if kind == 2:
        return value
    if kind == 3:
        return float(value) if "." in value else int(value)
    if kind == 4:
        return {"true": True, "false": False, "null": None}[value]
    result = {} if value == "{" else []
    while True:
        try:
            item = parse(stream)
        except KeyError:
            return result
        if isinstance(result, dict):
            next(stream)
            result[item] = parse(stream)
        else:
            result.append(item)
        if next(stream)[1] in "]}":
            return result


print(parse(tokens('{"a": [1, 2.5, true], "b": {"c": null}}')))

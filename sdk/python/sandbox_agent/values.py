"""Python values as JSON, exactly: what arrives is equal and of the same type, or encode() says which value cannot go.

For values that cross between the host and code that must not be trusted, so no pickle: decoding makes values of the
types below and nothing else. steps.py sends this very source into the sandbox; it uses nothing of this package. """
from typing import Any, Callable, Dict

__all__ = ["encode", "decode"]

MAX_VALUE_DEPTH = 100


def _of_items(make: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda payload: make([decode(item) for item in payload])


def _decimal(payload: Any) -> Any:
    from decimal import Decimal

    return Decimal(payload)


def _fraction(payload: Any) -> Any:
    from fractions import Fraction

    return Fraction(payload)


def _time(name: str) -> Callable[[Any], Any]:
    def make(payload: Any) -> Any:
        import datetime

        if name == "timezone":
            return datetime.timezone(datetime.timedelta(seconds=payload[0]), *payload[1:])
        if name == "timedelta":
            return datetime.timedelta(*payload)
        kind: Any = {"datetime": datetime.datetime, "date": datetime.date, "time": datetime.time}[name]
        return kind.fromisoformat(payload)

    return make


_MAKE: Dict[str, Callable[[Any], Any]] = {
    "int": lambda payload: int(payload, 16),
    "tuple": _of_items(tuple),
    "set": _of_items(set),
    "frozenset": _of_items(frozenset),
    "dict": lambda payload: {decode(k): decode(v) for k, v in payload},
    "bytes": bytes.fromhex,
    "bytearray": bytearray.fromhex,
    "complex": lambda payload: complex(payload[0], payload[1]),
    "range": lambda payload: range(*payload),
    "ellipsis": lambda payload: ...,
    "Decimal": _decimal,
    "Fraction": _fraction,
    "datetime": _time("datetime"),
    "date": _time("date"),
    "time": _time("time"),
    "timedelta": _time("timedelta"),
    "timezone": _time("timezone"),
}
_OF_DATETIME = ("datetime", "date", "time", "timedelta", "timezone")


def _is_simple_time(value: Any) -> bool:
    """A zone that is a name with rules has no exact text."""
    zone = getattr(value, "tzinfo", None)
    return not getattr(value, "fold", 0) and (
        zone is None or (type(zone).__name__ == "timezone" and zone.tzname(None).startswith("UTC"))
    )


def _payload(value: Any, name: str, module: str, depth: int) -> Any:
    if module == "builtins":
        if name in ("tuple", "set", "frozenset"):
            return [encode(item, depth + 1) for item in value]
        if name == "dict":
            return [[encode(k, depth + 1), encode(v, depth + 1)] for k, v in value.items()]
        if name in ("bytes", "bytearray"):
            return value.hex()
        if name == "complex":
            return [value.real, value.imag]
        if name == "range":
            return [value.start, value.stop, value.step]
        if name == "ellipsis":
            return None
    if (module, name) in (("decimal", "Decimal"), ("fractions", "Fraction")):
        return str(value)
    if module == "datetime" and name in _OF_DATETIME:
        if name == "timedelta":
            return [value.days, value.seconds, value.microseconds]
        if name == "timezone":
            return [value.utcoffset(None).total_seconds()] + (
                [] if value.tzname(None).startswith("UTC") else [value.tzname(None)]
            )
        if _is_simple_time(value):
            return value.isoformat()
    raise KeyError(name)


def encode(value: Any, depth: int = 0) -> Any:
    """Something for json.dumps(). TypeError names the type that cannot go."""
    kind = type(value)
    if depth > MAX_VALUE_DEPTH:
        raise TypeError("%s: nested too deep, or within itself" % kind.__name__)
    if value is None or kind is bool or kind is str or kind is float:
        return value
    if kind is int:
        return value if -(2**63) <= value < 2**63 else {"~": "int", "v": hex(value)}
    if kind is list:
        return [encode(item, depth + 1) for item in value]
    try:
        return {"~": kind.__name__, "v": _payload(value, kind.__name__, kind.__module__, depth)}
    except KeyError:
        raise TypeError("%s.%s" % (kind.__module__, kind.__qualname__)) from None


def decode(data: Any) -> Any:
    """What encode() was given. ValueError where that cannot have made it."""
    if isinstance(data, list):
        return [decode(item) for item in data]
    if not isinstance(data, dict):
        return data
    try:
        return _MAKE[data["~"]](data["v"])
    except (KeyError, TypeError, ArithmeticError, AttributeError, RecursionError) as e:
        raise ValueError("no encoded value: %r" % e) from None

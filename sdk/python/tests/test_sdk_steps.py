"""Python in steps: what lasts, what is said of that which cannot, tools; and the plain values that cross."""
import collections
import datetime
import decimal
import fractions
import json
import math
import pathlib
import pickle

import pytest
import sdk_support as s

from sandbox_agent import PolicyDenied, Sandbox, values
from sandbox_agent.steps import MAX_CALLS, PythonSteps, StepFailed

UTC = datetime.timezone.utc
EXACT = [
    None,
    True,
    0,
    -1,
    10**5000,
    -(10**30),
    1.5,
    -0.0,
    math.inf,
    "",
    "é\ud800\0",
    b"\xff\0",
    bytearray(b"x"),
    (),
    (1, (2,)),
    [[]],
    {},
    {1: 2, (3,): [4], None: {"~": "v"}},
    {1, "1"},
    frozenset({frozenset()}),
    1 + 2j,
    complex(-0.0, math.inf),
    range(1, 9, 2),
    ...,
    decimal.Decimal("1.10"),
    decimal.Decimal("NaN"),
    fractions.Fraction(-1, 3),
    datetime.date(2026, 11, 22),
    datetime.time(1, 2, 3, 4),
    datetime.datetime(2026, 11, 22, 15, 0, 0, 5),
    datetime.datetime(2026, 11, 22, tzinfo=UTC),
    datetime.time(1, tzinfo=UTC),
    datetime.timedelta(-1, 5, 7),
    UTC,
    datetime.timezone(datetime.timedelta(hours=2), "here"),
    datetime.timezone(datetime.timedelta(minutes=-90)),
    "~",
    {"~": "int", "v": "1"},
]
Pair = collections.namedtuple("Pair", "a b")


@pytest.mark.parametrize("number", range(len(EXACT)))
def test_values_arrive_equal_and_of_the_same_type(number):
    value = EXACT[number]
    back = values.decode(json.loads(json.dumps(values.encode(value))))
    assert type(back) is type(value) and (back == value or repr(back) == repr(value))
    assert not isinstance(value, (float, complex)) or repr(back) == repr(value)  # the sign of zero, too


def test_not_a_number_arrives():
    assert math.isnan(values.decode(json.loads(json.dumps(values.encode(math.nan)))))


@pytest.mark.parametrize(
    "value, name",
    [
        (object(), "builtins.object"),
        (Pair(1, 2), "Pair"),
        (collections.OrderedDict(a=1), "OrderedDict"),
        (pathlib.Path("/"), "PosixPath"),
        (print, "builtin"),
        ([{"a": (object(),)}], "object"),
        (iter([]), "iterator"),
        (datetime.datetime(2026, 11, 22, fold=1), "datetime"),
    ],
)
def test_values_that_cannot_go_are_named(value, name):
    with pytest.raises(TypeError, match=name):
        values.encode(value)


def test_value_within_itself_cannot_go():
    value = []
    value.append(value)
    with pytest.raises(TypeError, match="within itself"):
        values.encode(value)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"~": "os.system", "v": "x"},
        {"~": "int", "v": []},
        {"~": "dict", "v": [[1]]},
        {"~": "dict", "v": [[[], 1]]},
        {"~": "bytes", "v": "zz"},
        {"~": "Decimal", "v": "x"},
        {"~": "range", "v": [1, 2, 0]},
        {"~": []},
        {"~": "timedelta", "v": [10**30]},
    ],
)
def test_what_is_no_encoded_value_is_a_value_error(data):
    with pytest.raises(ValueError):
        values.decode(data)


# ---- steps ----


@pytest.fixture
def steps(program):
    return PythonSteps(Sandbox(mode="cli"), options={"risk_level": "medium"})


def test_last_expression_is_the_output(steps):
    assert steps.run("x = 2\nx * 21").output == 42
    assert (
        steps.run("x * 2; y = 1").output is None
        and steps.run("(x,\n x + y)  # é\n").output == (2, 3)
        and steps.run("é = 'ü'; é").output == "ü"
    )
    assert (
        steps.run("*[x], 1").output == (2, 1)
        and steps.run("print('a', end='')") == (None, "a", False, {}, [])
        and steps.run("").output is None
    )
    assert steps.run("'''text\nof two lines'''").output == "text\nof two lines"
    with pytest.raises(SyntaxError):
        steps.run("x =")


def test_values_last_with_their_types_identities_and_classes(steps):
    steps.run(
        "from __future__ import annotations\nimport math, datetime as dt\nfrom decimal import Decimal\nclass Node:\n"
        "    '''Text\n  as it was.'''\n    def __init__(self, next: Undefined):\n"
        "        self.next = next\nloop = Node(None)\nloop.next = loop\n"
        "a = [Decimal('1.10'), {(1, 2): {3}}, dt.date(2026, 1, 1), float('inf')]\nb = a\n_private = a[1]\n"
        "short = lambda v: v + 1\nalso = Node"
    )
    last = steps.run(
        "assert loop.next is loop and type(loop) is Node is also and a is b and a[1] is _private and math.pi > 3 and "
        "short(1) == 2\n(a, Node.__doc__, Node.__init__.__annotations__)"
    )
    assert (
        last.output
        == (
            [decimal.Decimal("1.10"), {(1, 2): {3}}, datetime.date(2026, 1, 1), math.inf],
            "Text\n  as it was.",
            {"next": "Undefined"},
        )
        and not last.lost
    )


def test_what_cannot_last_is_named_and_the_rest_lasts(steps):
    first = steps.run(
        "import sys\nm = sys\ngen = (i for i in [1])\ndef make():\n    def inner(): return 1\n    return inner\n"
        "made = make()\nbox = [gen]\nfine = [1]\nsys, gen"
    )
    assert (
        set(first.lost) == {"m", "gen", "made", "box"}
        and "generator" in first.lost["gen"]
        and "make.<locals>.inner" in first.lost["made"]
    )
    assert (
        first.output.startswith("(<module 'sys'")
        and "tuple" not in first.notes[0]
        and "builtins.module" in first.notes[0]
    )
    assert steps.run("fine, [n for n in ('m', 'gen', 'made', 'box') if n in globals()]").output == ([1], [])


def test_definitions_that_need_variables_are_made_when_those_are_there(steps):
    first = steps.run(
        "n = 5\ndef uses(d=n):\n    return d\nclass Base:\n    limit = n\nclass Derived(Base):\n    pass\n"
        "held = Derived()\n"
    )
    assert set(first.lost) == {"held"} and "Derived cannot be defined again" in first.lost["held"]
    assert steps.run("n = 6\nuses(), Base.limit, Derived.limit").output == (5, 5, 5)
    steps.run("def twice(x):\n    return 2 * x\ntwice = 3\nlater = twice\ndef later():\n    return 'function'")
    assert steps.run("twice, later()").output == (3, "function")


def test_step_that_fails_keeps_what_it_had_done_and_says_where_it_failed(steps):
    with pytest.raises(StepFailed, match="ValueError: oops") as e:
        steps.run("print('begun')\ny = 1\ndef f():\n    raise ValueError('oops')\nf()")
    assert (
        e.value.logs == "begun\n"
        and 'File "<step>", line 5' in str(e.value)
        and 'File "<step>", line 4' in str(e.value)
        and "_sandbox_" not in str(e.value)
        and "    f()\n" in str(e.value)
    )
    assert str(pickle.loads(pickle.dumps(e.value))) == str(e.value)
    assert steps.run("y, callable(f)").output == (1, True)
    with pytest.raises(PolicyDenied, match="line 2: module os is blocked"):
        steps.run("y = 2\nimport os")
    assert steps.run("y").output == 1


def test_step_that_is_killed_says_that_its_variables_were_not_kept(program):
    steps = PythonSteps(Sandbox(mode="cli"), options={"risk_level": "medium", "timeout": 3})
    steps.run("y = 1")
    with pytest.raises(StepFailed, match=r"(?s)\[timeout\].*not kept: it ended before it could"):
        steps.run("y = 2\nwhile True: pass")
    assert steps.run("y").output == 1


def test_tools_are_called_here_and_each_answer_once(program):
    calls = []

    def search(query, limit=3):
        calls.append((query, limit))
        if query == "bad":
            raise LookupError("nothing")
        return {"q": query, "hits": (1, 2)[:limit]} if query != "odd" else object()

    steps = PythonSteps(Sandbox(mode="cli"), {"search": search}, {"risk_level": "medium"})
    step = steps.run("print('once')\nfound = [search(q, limit=1) for q in ('a', 'b')]\nfound")
    assert (
        step.output == [{"q": "a", "hits": (1,)}, {"q": "b", "hits": (1,)}]
        and step.logs == "once\n"
        and calls == [("a", 1), ("b", 1)]
    )
    for query, words in (
        ("bad", "LookupError: nothing"),
        ("odd", "its answer cannot go into the sandbox: builtins.object"),
    ):
        assert (
            words
            in steps.run("try:\n    search(%r)\nexcept RuntimeError as e:\n    text = str(e)\ntext" % query).output
        )
    with pytest.raises(StepFailed, match="TypeError: builtins.object"):
        steps.run("search(object())")
    with pytest.raises(StepFailed, match="another one each time"):
        steps.run("import random\nsearch(random.random())\nsearch(1)")
    assert steps.run("try:\n    search('c')\nexcept BaseException:\n    pass\nfinally:\n    z = 1\nz").output == 1
    assert steps.run("found[0]['q'], search('d')['q']").output == ("a", "d")


def test_calls_of_tools_are_bounded(program, monkeypatch):
    monkeypatch.setattr("sandbox_agent.steps.MAX_CALLS", 3)
    steps = PythonSteps(Sandbox(mode="cli"), {"next": lambda i: i}, {"risk_level": "medium"})
    with pytest.raises(StepFailed, match="more than 3 calls"):
        steps.run("i = 0\nwhile True:\n    i = next(i) + 1")
    assert MAX_CALLS == 64


def test_final_answer_and_variables_go_as_they_are(program):
    steps = PythonSteps(Sandbox(mode="cli"), {"final_answer": lambda answer: answer}, {"risk_level": "medium"})
    steps.set_variables({"given": {1: (2, {3})}, "when": datetime.date(2026, 1, 1)})
    step = steps.run("print('x')\nfinal_answer(answer=(given, when))\nprint('not reached')")
    assert step == (({1: (2, {3})}, datetime.date(2026, 1, 1)), "x\n", True, {}, [])
    with pytest.raises(ValueError, match=r"cannot go into the sandbox: odd \(builtins.object\)"):
        steps.set_variables({"odd": object(), "even": 2})
    odd = steps.run("final_answer(object())")
    assert odd.is_final_answer and odd.output.startswith("<object object") and "builtins.object" in odd.notes[0]


def test_code_that_writes_the_last_line_itself_gives_plain_values_only(steps):
    """The mark is in the program's own memory."""
    for told in (
        '{"result": {"value": {"~": "os.system", "v": "x"}}}',
        '{"state": "zz", "kept": [1], "lost": {}, "defined": []}',
        "[]",
        "no json",
        '{"call": ["exec", [], {}]}',
    ):
        try:
            assert (
                steps.run(
                    "_sandbox_atexit.unregister(_sandbox_end)\nprint('\\n' + _sandbox_given['mark'] + %r)" % told
                ).output
                is None
            )
        except StepFailed:
            pass
    assert PythonSteps(steps._sandbox, options={"risk_level": "medium"}).run("7").output == 7


def test_runtime_itself_is_no_finding_of_the_scan(steps):
    steps.run("x = 1")
    program, _ = steps._program(steps_code("y = 2"))
    assert not steps._sandbox.scan("python", program).findings


def steps_code(text):
    from sandbox_agent.steps import _prepared

    return _prepared(text)


def test_same_through_the_service(service):
    steps = PythonSteps(Sandbox(service.url, service.key), {"add": lambda a, b: a + b}, {"risk_level": "medium"})
    steps.run("class A:\n    pass\na = A()\na.v = {1, 2}")
    assert steps.run("add(len(a.v), 40)").output == 42

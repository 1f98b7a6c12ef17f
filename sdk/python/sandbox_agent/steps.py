"""Python in steps, as agents write it: each step runs in a sandbox of its own, and variables, imports, functions and
classes last.

    steps = PythonSteps(Sandbox(), tools={"search": search}, options={"agent_id": "my-agent", "risk_level": "medium"})
    steps.run("hits = search('x')")
    print(steps.run("len(hits)").output)

Variables cross as a pickle that only the sandbox reads; imports, functions and classes by their source, which is run
again. What cannot last is named in Step.lost. The result of the last expression, final answers, and what goes to tools
and comes from them, cross as plain values (values.py); of another value comes its repr, and Step.notes says so.

Tools run here, on the host. A sandbox cannot ask while it runs: at a call whose answer is not known it ends, the tool
is called, and the step runs again from its beginning with the answers so far. A step with three calls runs four times,
and what it prints counts once. """
import ast
import inspect
import json
import os
import re
import textwrap
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Set, Tuple

from . import values
from .client import Sandbox
from .errors import SandboxError
from .result import ExecutionResult

__all__ = ["PythonSteps", "Step", "StepFailed"]

MAX_CALLS = 64  # of tools, in one step

_BEGIN = '''
import atexit as _sandbox_atexit, io as _sandbox_io, json as _sandbox_json, pickle as _sandbox_pickle
import sys as _sandbox_sys, types as _sandbox_types

class _sandbox_quiet:
    def write(self, text):
        return len(text)
    def flush(self):
        pass

class _sandbox_Pending(BaseException):
    pass

_sandbox_given = _sandbox_json.loads(_sandbox_sys.stdin.readline())
_sandbox_told = {}
_sandbox_calls = []
_sandbox_lost = {}
_sandbox_begun = {}

def _sandbox_Tool(name):
    def tool(*args, **kwargs):
        if "call" in _sandbox_told:
            raise _sandbox_Pending()
        asked = [name, [_sandbox_encode(a) for a in args], {k: _sandbox_encode(v) for k, v in kwargs.items()}]
        number = len(_sandbox_calls)
        _sandbox_calls.append(asked)
        if number >= len(_sandbox_given["answers"]):
            _sandbox_told["call"] = asked
            raise _sandbox_Pending()
        answer = _sandbox_given["answers"][number]
        if answer["call"] != asked:
            raise RuntimeError("call %d of a tool is another one each time: %s" % (number + 1, name))
        if "error" in answer:
            raise RuntimeError("%s: %s" % (name, answer["error"]))
        return _sandbox_decode(answer["value"])
    tool.__name__ = name
    return tool

def final_answer(*args, **kwargs):
    _sandbox_told["answer"] = [[_sandbox_shown(a) for a in args], {k: _sandbox_shown(v) for k, v in kwargs.items()}]
    raise SystemExit(0)

def _sandbox_shown(value):
    try:
        return {"value": _sandbox_encode(value)}
    except TypeError as e:
        return {"repr": repr(value), "type": str(e)}

class _sandbox_Pickler(_sandbox_pickle.Pickler):
    def reducer_override(self, value):
        is_ours = isinstance(value, (type, _sandbox_types.FunctionType)) and value.__module__ == "__main__"
        if is_ours and value.__qualname__ not in _sandbox_given["early"]:
            raise _sandbox_pickle.PicklingError("%s cannot be defined again" % value.__qualname__)
        return NotImplemented

def _sandbox_dump(value):
    stream = _sandbox_io.BytesIO()
    _sandbox_Pickler(stream, 4).dump(value)
    return stream.getvalue().hex()

def _sandbox_why_not(name, value):
    try:
        _sandbox_dump(value)
    except Exception as e:
        return "%s: %s" % (type(value).__name__, e)

def _sandbox_load():
    class Unpickler(_sandbox_pickle.Unpickler):  # of what an earlier step wrote, in a sandbox as well
        pass
    state = bytes.fromhex(_sandbox_given["state"])
    try:
        return Unpickler(_sandbox_io.BytesIO(state)).load() if state else {}
    except Exception as e:
        _sandbox_lost.update((name, "%s: %s" % (type(e).__name__, e)) for name in _sandbox_given["kept"])
        return {}

def _sandbox_end(names=globals()):
    told, kept, lost = _sandbox_told, {}, _sandbox_lost
    if "call" not in told:
        lasting = (type, _sandbox_types.FunctionType, _sandbox_types.ModuleType)
        for name, value in list(names.items()):
            is_own = name.startswith(("_sandbox_", "__")) or name in _sandbox_given["tools"]
            if is_own or value is _sandbox_begun.get(name, told):
                continue
            if isinstance(value, lasting) and name in _sandbox_given["new"]:
                continue
            if isinstance(value, _sandbox_types.ModuleType):
                lost[name] = "a module that no import of its own line names"
            else:
                kept[name] = value
        try:
            state = _sandbox_dump(kept)
        except Exception:
            lost.update((n, why) for n, why in ((n, _sandbox_why_not(n, v)) for n, v in kept.items()) if why)
            kept = {n: v for n, v in kept.items() if n not in lost}
            state = _sandbox_dump(kept)
        defined = [n for n in _sandbox_given["new"] if n in names]
        told.update(state=state, kept=sorted(kept), lost=lost, defined=defined)
        if "_sandbox_last" in names:
            told["result"] = _sandbox_shown(names["_sandbox_last"])
    _sandbox_sys.stdout = _sandbox_sys.__stdout__
    print("\\n" + _sandbox_given["mark"] + _sandbox_json.dumps(told))

_sandbox_atexit.register(_sandbox_end)
def _sandbox_hook(kind, value, trace, hook=_sandbox_sys.excepthook):
    if kind is not _sandbox_Pending:
        hook(kind, value, trace)

_sandbox_sys.excepthook = _sandbox_hook
for _sandbox_name in _sandbox_given["tools"]:
    if _sandbox_name != "final_answer":
        globals()[_sandbox_name] = _sandbox_Tool(_sandbox_name)
_sandbox_sys.stdout = _sandbox_quiet()
'''
_LOAD = """globals().update(_sandbox_load())
globals().update((n, _sandbox_decode(v)) for n, v in _sandbox_given["variables"].items())
"""
_GO = """_sandbox_begun.update((n, v) for n, v in globals().items() if n in _sandbox_given["defined"])
_sandbox_sys.stdout = _sandbox_sys.__stdout__
"""


def _is_call(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 3 and isinstance(value[0], str) and _is_arguments(value[1:])


def _is_arguments(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], list) and isinstance(value[1], dict)


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


_TOLD: Dict[str, Callable[[Any], bool]] = {
    "call": _is_call,
    "answer": _is_arguments,
    "state": lambda v: isinstance(v, str),
    "kept": _is_names,
    "defined": _is_names,
    "lost": lambda v: isinstance(v, dict),
    "result": lambda v: isinstance(v, dict),
}


class StepFailed(RuntimeError):
    """The code of a step did not end well; its text is what the step printed, its errors and how it ended. result: the
    execution."""

    def __init__(self, text: str, logs: str, result: Optional[ExecutionResult]) -> None:
        super().__init__(text)
        self.logs = logs
        self.result = result

    def __reduce__(self) -> Any:
        return type(self), (str(self), self.logs, self.result)


class Step(NamedTuple):
    """output: the last expression's value, or the final answer. lost: variables that did not last, and why. notes:
    what else is not as it was."""

    output: Any
    logs: str
    is_final_answer: bool
    lost: Dict[str, str]
    notes: List[str]


class _Code(NamedTuple):
    text: str
    futures: Set[str]
    definitions: Dict[str, str]  # name: source
    stored: Set[str]  # names of variables, as far as the text shows


def _bound(node: ast.stmt) -> Optional[List[str]]:
    """The names that a statement of the top level defines by its source alone; None: it is no definition."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [a.asname or a.name.partition(".")[0] for a in node.names]
    if (
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Lambda)
        and len(node.targets) == 1
        and isinstance(node.targets[0], ast.Name)
    ):
        return [node.targets[0].id]
    return None


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _cut(lines: List[bytes], node: ast.stmt, before: bytes, after: bytes) -> None:
    """Puts texts before and after a statement; its lines stay where they are."""
    end, last = (node.end_lineno or node.lineno) - 1, node.end_col_offset or 0
    lines[end] = lines[end][:last] + after + lines[end][last:]
    lines[node.lineno - 1] = (
        lines[node.lineno - 1][: node.col_offset] + before + lines[node.lineno - 1][node.col_offset :]
    )


def _prepared(code: str) -> _Code:
    """The step's code with its last expression kept in a variable, without its `from __future__`, which belongs to the
    program's beginning."""
    tree = ast.parse(code)
    lines = [line.encode("utf-8") for line in re.split("\r\n|[\n\r]", code)]
    futures: Set[str] = set()
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        _cut(lines, tree.body[-1], b"_sandbox_last = (", b")")
    for node in reversed(tree.body):
        if isinstance(node, ast.ImportFrom) and _is_future(node):
            futures.update(a.name for a in node.names)
            first, end = node.lineno - 1, (node.end_lineno or node.lineno) - 1
            rest = lines[end][node.end_col_offset or 0 :]
            lines[first] = lines[first][: node.col_offset] + b"pass" + rest
            lines[first + 1 : end + 1] = [b""] * (end - first)
    definitions: Dict[str, str] = {}
    stored: Set[str] = set()
    for node in tree.body:  # what is bound last counts
        for name in _bound(node) or []:
            if not _is_future(node):
                definitions[name] = ast.unparse(node)
        if _bound(node) is None:
            names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
            stored |= names
            definitions = {n: source for n, source in definitions.items() if n not in names}
    return _Code(b"\n".join(lines).decode("utf-8"), futures, definitions, stored - set(definitions))


def _needs(source: str) -> Set[str]:
    """The names that a definition looks up when it is made: defaults, decorators, bases, a class's body."""
    found: Set[str] = set()
    todo: List[ast.AST] = list(ast.parse(source).body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Name):
            found.add(node.id)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            todo += [*node.args.defaults, *[d for d in node.args.kw_defaults if d]]
            if not isinstance(node, ast.Lambda):
                every = [
                    *node.args.posonlyargs,
                    *node.args.args,
                    *node.args.kwonlyargs,
                    node.args.vararg,
                    node.args.kwarg,
                ]
                todo += [
                    *node.decorator_list,
                    *[a.annotation for a in every if a and a.annotation],
                    *([node.returns] if node.returns else []),
                ]
        else:
            todo += list(ast.iter_child_nodes(node))
    return found


def _guarded(name: str, source: str) -> str:
    """A definition that cannot be made again is one that is missing, not the end of every later step."""
    tree = ast.parse(
        "try:\n    pass\nexcept Exception as _sandbox_e:\n"
        "    _sandbox_lost[%r] = 'it fails again: %%r' %% (_sandbox_e,)\n"
        % name
    )
    guard = tree.body[0]
    assert isinstance(guard, ast.Try)
    guard.body = ast.parse(source).body
    return ast.unparse(tree) + "\n"


class PythonSteps:
    """tools: callables by their names, which code may call as functions; `final_answer` is there in any case. options:
    of every execute()."""

    def __init__(
        self,
        sandbox: Sandbox,
        tools: Optional[Mapping[str, Callable[..., Any]]] = None,
        options: Optional[Mapping[str, Any]] = None,
    ) -> None:
        self._sandbox = sandbox
        self.tools: Dict[str, Any] = dict(tools or {})
        self._options = dict(options or {})
        self._state = ""
        self._kept: List[str] = []
        self._given: Dict[str, Any] = {}
        self._futures: Set[str] = set()
        self._definitions: Dict[str, str] = {}

    def set_variables(self, variables: Mapping[str, Any]) -> None:
        """For the next step. ValueError names those that cannot go into a sandbox."""
        encoded, wrong = {}, []
        for name, value in variables.items():
            try:
                encoded[name] = values.encode(value)
            except TypeError as e:
                wrong.append("%s (%s)" % (name, e))
        if wrong:
            raise ValueError("cannot go into the sandbox: " + ", ".join(wrong))
        self._given.update(encoded)

    def run(self, code: str) -> Step:
        """One step. StepFailed where it did not end well; SyntaxError where it is no Python."""
        step = _prepared(code)
        answers: List[Dict[str, Any]] = []
        while True:
            mark = os.urandom(16).hex()
            program, offset = self._program(step)
            result = self._execute(program, json.dumps(self._input(step, mark, answers)) + "\n", offset)
            logs, _, rest = result.stdout.partition("\n" + mark)
            told = self._told(rest)
            if "call" not in told:
                return self._ended(step, result, logs, told, offset)
            if len(answers) >= MAX_CALLS:
                raise StepFailed("%s\n[more than %d calls of tools in one step]" % (logs, MAX_CALLS), logs, result)
            answers.append(self._answer(told["call"]))

    def _execute(self, program: str, stdin: str, offset: int) -> ExecutionResult:
        try:
            return self._sandbox.execute("python", program, stdin=stdin, **self._options)
        except SandboxError as e:  # names lines of the program
            e.message = re.sub(
                r"\bline (\d+)",
                lambda m: "line %d" % (int(m.group(1)) - offset) if int(m.group(1)) > offset else m.group(),
                e.message,
            )
            raise

    # ---- what goes in ----

    def _late(self, definitions: Mapping[str, str], stored: Set[str]) -> Set[str]:
        """Those that need a variable, or one that does: they are made when the variables are there."""
        late: Set[str] = set()
        variables = {*self._kept, *self._given, *stored}
        while True:
            more = {
                n for n, source in definitions.items() if n not in late and _needs(source) & (variables | late) - {n}
            }
            if not more:
                return late
            late |= more

    def _program(self, step: _Code) -> Tuple[str, int]:
        late = self._late(self._definitions, set())
        futures = sorted(self._futures | step.futures)
        sources = {source: name for name, source in self._definitions.items()}  # one import may bind several names
        is_late = {self._definitions[n] for n in late}
        parts = [
            "from __future__ import %s\n" % ", ".join(futures) if futures else "",
            _codec(),
            _BEGIN,
            *[_guarded(n, d) for d, n in sources.items() if d not in is_late],
            _LOAD,
            *[_guarded(n, d) for d, n in sources.items() if d in is_late],
            _GO,
        ]
        begin = "".join(parts)
        return begin + step.text + "\n", begin.count("\n")

    def _input(self, step: _Code, mark: str, answers: List[Dict[str, Any]]) -> Dict[str, Any]:
        lasting = {**self._definitions, **step.definitions}
        return {
            "mark": mark,
            "state": self._state,
            "kept": self._kept,
            "variables": self._given,
            "answers": answers,
            "tools": sorted({*self.tools, "final_answer"}),
            "new": sorted(step.definitions),
            "defined": sorted(self._definitions),
            "early": sorted(set(lasting) - self._late(lasting, step.stored)),
        }

    # ---- what comes out ----

    @staticmethod
    def _told(text: str) -> Dict[str, Any]:
        """What the code claims of itself: it may have written this, so nothing but plain values is taken from it."""
        try:
            told = json.loads(text)
        except (ValueError, RecursionError):
            return {}
        return (
            told
            if isinstance(told, dict) and all(name in _TOLD and _TOLD[name](value) for name, value in told.items())
            else {}
        )

    def _answer(self, call: Any) -> Dict[str, Any]:
        name, args, kwargs = call
        try:
            if name not in self.tools:
                raise LookupError("there is no tool %r" % name)
            value = self.tools[name](
                *[values.decode(a) for a in args], **{str(k): values.decode(v) for k, v in kwargs.items()}
            )
        except Exception as e:
            return {"call": call, "error": "%s: %s" % (type(e).__name__, e)}
        try:
            return {"call": call, "value": values.encode(value)}
        except TypeError as e:
            return {"call": call, "error": "its answer cannot go into the sandbox: %s" % e}

    def _remember(self, step: _Code, told: Mapping[str, Any]) -> None:
        self._state, self._kept, self._given = told["state"], list(told.get("kept", [])), {}
        self._futures |= step.futures
        for name in [*step.definitions, *self._kept]:
            if name in self._definitions and name not in step.definitions:
                del self._definitions[name]  # it is a variable now
        self._definitions.update((n, source) for n, source in step.definitions.items() if n in told.get("defined", []))

    @staticmethod
    def _shown(told: Any, notes: List[str]) -> Any:
        if not isinstance(told, dict):
            return None
        if "value" in told:
            try:
                return values.decode(told["value"])
            except ValueError as e:
                notes.append("the value that came is none: %s" % e)
                return None
        notes.append("the value is of type %s, which cannot leave the sandbox: this is its repr" % told.get("type"))
        return told.get("repr")

    def _ended(self, step: _Code, result: ExecutionResult, logs: str, told: Mapping[str, Any], offset: int) -> Step:
        notes: List[str] = []
        if "state" in told:
            self._remember(step, told)
        else:
            notes.append(
                "the variables of this step were not kept: %s"
                % ("its output was cut off" if result.stdout_truncated else "it ended before it could hand them over")
            )
        if not result.ok:
            raise StepFailed(
                "\n".join(
                    [logs + _own_lines(result.stderr, offset), "[%s]" % result.reason, *["[%s]" % n for n in notes]]
                ),
                logs,
                result,
            )
        logs += result.stderr
        lost = {str(k): str(v) for k, v in dict(told.get("lost") or {}).items()}
        if "answer" not in told:
            return Step(self._shown(told.get("result"), notes), logs, False, lost, notes)
        args, kwargs = told["answer"]
        given = [self._shown(a, notes) for a in args], {str(k): self._shown(v, notes) for k, v in kwargs.items()}
        tool = self.tools.get("final_answer")
        if callable(tool):
            return Step(tool(*given[0], **given[1]), logs, True, lost, notes)
        answer = [*given[0], *given[1].values()]
        return Step(answer[0] if len(answer) == 1 else answer or None, logs, True, lost, notes)


def _codec() -> str:
    """values.py as a function, so that its names are not the code's."""
    return (
        "def _sandbox_codec():\n%s    return encode, decode\n\n_sandbox_encode, _sandbox_decode = _sandbox_codec()\n"
        % textwrap.indent(inspect.getsource(values), "    ")
    )


def _own_lines(text: str, offset: int) -> str:
    """Line numbers of the step, not of the program around it."""

    def line(match: "re.Match[str]") -> str:
        number = int(match.group(2)) - offset
        return 'File "<step>", line %d' % number if number > 0 else match.group(0)

    text = re.sub(r'File "([^"]*main\.py)", line (\d+)', line, text)
    return re.sub(r"^( +)_sandbox_last = \((.*?)\)?\n(?: {17}([ ~^]+\n))?", r"\1\2\n\3", text, flags=re.M)

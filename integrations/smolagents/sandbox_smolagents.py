"""smolagents: `CodeAgent(tools=[], model=model, executor=sandbox_executor())`

Each step runs in a new sandbox. What lasts between steps: variables that JSON can express (through stdin and a last line of output), imports,
functions and classes (their source). Tools run on the host: none but final_answer is reachable from inside."""
import ast
import json
import secrets
from typing import Any, Dict, List, Optional

from sandbox_agent import Sandbox

BEGIN = """import json as _json, atexit as _atexit
globals().update(_json.loads(input()))
def final_answer(answer):
    globals()["_answer"] = [answer]
    raise SystemExit(0)
def _save():
    kept = {}
    for name, value in list(globals().items()):
        try:
            kept.update({name: _json.loads(_json.dumps(value))} if name == "_answer" or name[0] != "_" else {})
        except (TypeError, ValueError):
            pass
    print("\\n%s" + _json.dumps(kept))
_atexit.register(_save)
"""


def sandbox_executor(sandbox: Optional[Sandbox] = None, **options: Any) -> Any:
    """A PythonExecutor. options: of every execute(), such as agent_id, timeout; risk_level low or medium."""
    from smolagents.local_python_executor import CodeOutput, PythonExecutor

    box = sandbox or Sandbox()

    class SandboxPythonExecutor(PythonExecutor):  # type: ignore[misc]
        def __init__(self) -> None:
            self.state: Dict[str, Any] = {}
            self.definitions: List[str] = []

        def send_tools(self, tools: Dict[str, Any]) -> None:
            if set(tools) - {"final_answer"}:
                raise ValueError("not reachable from the sandbox: %s" % ", ".join(sorted(set(tools) - {"final_answer"})))

        def send_variables(self, variables: Dict[str, Any]) -> None:
            self.state.update(json.loads(json.dumps(variables)))

        def __call__(self, code_action: str) -> Any:
            mark = secrets.token_hex(16)
            program = "\n".join([BEGIN % mark, *self.definitions, code_action])
            result = box.execute("python", program, stdin=json.dumps(self.state) + "\n", **options)
            logs, found, state = result.stdout.partition("\n" + mark)
            self.state = json.loads(state) if found else self.state
            answer = self.state.pop("_answer", None)
            if not result.ok:
                raise RuntimeError("%s%s\n[%s]" % (logs, result.stderr, result.reason))
            kinds = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
            self.definitions += [ast.unparse(node) for node in ast.parse(code_action).body if isinstance(node, kinds)]
            return CodeOutput(output=answer[0] if answer else None, logs=logs, is_final_answer=answer is not None)

    return SandboxPythonExecutor()

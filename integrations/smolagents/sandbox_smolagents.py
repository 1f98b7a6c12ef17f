"""smolagents: `CodeAgent(tools=[search], model=model, executor=sandbox_executor())`

Each step runs in a new sandbox; variables, imports, functions and classes last (sandbox_agent/steps.py says how, and
what cannot). Tools run on the host, where their keys and networks are: a step runs again for each call, with the
answers so far."""
from typing import Any, Dict, Optional

from sandbox_agent import Sandbox
from sandbox_agent.steps import PythonSteps, StepFailed


def sandbox_executor(sandbox: Optional[Sandbox] = None, **options: Any) -> Any:
    """A PythonExecutor. options: of every execute(), such as agent_id, timeout; risk_level low or medium."""
    from smolagents.local_python_executor import CodeOutput, PythonExecutor

    class SandboxPythonExecutor(PythonExecutor):  # type: ignore[misc]
        """Runs an agent's steps in the sandbox."""

        def __init__(self) -> None:
            self.steps = PythonSteps(sandbox or Sandbox(), options=options)
            self.state: Dict[str, Any] = {"_print_outputs": ""}  # the agent shows it for a step that failed

        def send_tools(self, tools: Dict[str, Any]) -> None:
            """Code may call them as functions from now on."""
            wrong = [name for name, tool in tools.items() if not callable(tool) and name != "final_answer"]
            if wrong:
                raise ValueError("no tools, since they cannot be called: %s" % ", ".join(sorted(wrong)))
            self.steps.tools.update(tools)

        def send_variables(self, variables: Dict[str, Any]) -> None:
            """ValueError names those that cannot go into a sandbox."""
            self.steps.set_variables(variables)

        def __call__(self, code_action: str) -> Any:
            try:
                step = self.steps.run(code_action)
            except StepFailed as e:
                self.state["_print_outputs"] = e.logs
                raise
            words = ["[%s]" % note for note in step.notes] + [
                "[variable %s does not last: %s]" % pair for pair in sorted(step.lost.items())
            ]
            self.state["_print_outputs"] = logs = "\n".join([step.logs, *words]) if words else step.logs
            return CodeOutput(output=step.output, logs=logs, is_final_answer=step.is_final_answer)

        def cleanup(self) -> None:
            """Nothing is left between steps."""

    return SandboxPythonExecutor()

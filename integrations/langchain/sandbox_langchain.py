"""LangChain: `tools = [sandbox_tool(Sandbox())]`"""
from typing import Any, Optional, Tuple

from sandbox_agent import AsyncSandbox, Sandbox, SandboxError


def sandbox_tool(sandbox: Optional[Sandbox] = None, **options: Any) -> Any:
    """A BaseTool. options: of every execute(), such as agent_id, risk_level, timeout. The artifact is the whole
    result."""
    from langchain_core.tools import BaseTool  # lazily: this file is read without LangChain, too

    box = sandbox or Sandbox()

    def answer(result: Any) -> Tuple[str, Any]:
        ended = "" if result.ok else "\n[%s, exit code %s]" % (result.reason, result.exit_code)
        return result.stdout + result.stderr + ended, result.to_dict()

    class SandboxTool(BaseTool):  # type: ignore[misc]
        """Runs code in the sandbox."""

        name: str = "run_code"
        description: str = (
            "Runs a program in a sandbox and returns what it printed. language: python, node, bash, go or rust. "
            "code: the whole program."
        )
        response_format: str = "content_and_artifact"

        def _run(self, code: str, language: str = "python") -> Tuple[str, Any]:
            try:
                return answer(box.execute(language, code, **options))
            except SandboxError as e:
                return "not run: %s" % e, None

        async def _arun(self, code: str, language: str = "python") -> Tuple[str, Any]:
            """A cancelled task ends its run."""
            try:
                async with AsyncSandbox.around(box, threads=1) as client:
                    return answer(await client.execute(language, code, **options))
            except SandboxError as e:
                return "not run: %s" % e, None

    return SandboxTool()

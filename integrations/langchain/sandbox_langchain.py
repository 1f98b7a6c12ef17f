"""LangChain: `tools = [sandbox_tool(Sandbox())]`"""
from typing import Any, Optional, Tuple

from sandbox_agent import Sandbox, SandboxError


def sandbox_tool(sandbox: Optional[Sandbox] = None, **options: Any) -> Any:
    """A BaseTool. options: of every execute(), such as agent_id, risk_level, timeout. The artifact is the whole result."""
    from langchain_core.tools import BaseTool  # lazily: this file is read without LangChain, too

    box = sandbox or Sandbox()

    class SandboxTool(BaseTool):  # type: ignore[misc]
        name: str = "run_code"
        description: str = ("Runs a program in a sandbox and returns what it printed. language: python, node, bash, go or rust. "
                            "code: the whole program.")
        response_format: str = "content_and_artifact"

        def _run(self, code: str, language: str = "python") -> Tuple[str, Any]:
            try:
                result = box.execute(language, code, **options)
            except SandboxError as e:
                return "not run: %s" % e, None
            ended = "" if result.ok else "\n[%s, exit code %s]" % (result.reason, result.exit_code)
            return result.stdout + result.stderr + ended, result.to_dict()

        async def _arun(self, code: str, language: str = "python") -> Tuple[str, Any]:
            import asyncio

            return await asyncio.get_running_loop().run_in_executor(None, self._run, code, language)

    return SandboxTool()

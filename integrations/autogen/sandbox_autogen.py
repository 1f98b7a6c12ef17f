"""AutoGen 0.4: `CodeExecutorAgent("coder", code_executor=sandbox_executor())`"""
import asyncio
from typing import Any, List, Optional

from sandbox_agent import AsyncSandbox, SandboxError

NAMES = {"py": "python", "python3": "python", "sh": "bash", "shell": "bash", "js": "node", "javascript": "node", "rs": "rust", "golang": "go"}


def sandbox_executor(sandbox: Optional[AsyncSandbox] = None, **options: Any) -> Any:
    """A CodeExecutor. options: of every execute(), such as agent_id, risk_level, timeout."""
    from autogen_core.code_executor import CodeExecutor, CodeResult

    box = sandbox or AsyncSandbox()

    async def run(block: Any) -> Any:
        language = NAMES.get(block.language.lower(), block.language.lower())
        try:
            result = await box.execute(language, block.code, **options)
        except ValueError:
            raise
        except SandboxError as e:
            return CodeResult(exit_code=125, output=str(e))
        if result.reason == "timeout":
            raise asyncio.TimeoutError("the code met its deadline")
        code = result.exit_code if result.exit_code is not None else 128 + (result.signal or 9)
        note = "" if result.reason in ("completed", "error") else "\n[%s]" % result.reason
        return CodeResult(exit_code=code, output=result.stdout + result.stderr + note)

    class SandboxCodeExecutor(CodeExecutor):  # type: ignore[misc]
        async def execute_code_blocks(self, code_blocks: List[Any], cancellation_token: Any) -> Any:
            """In order, until one fails. A cancelled token kills what runs."""
            output, exit_code = "", 0
            for block in code_blocks:
                task = asyncio.ensure_future(run(block))
                cancellation_token.link_future(task)
                result = await task
                output, exit_code = output + result.output, result.exit_code
                if exit_code:
                    break
            return CodeResult(exit_code=exit_code, output=output)

        async def start(self) -> None:
            """Nothing to start: each run has a sandbox of its own."""

        async def stop(self) -> None:
            await box.aclose()

        async def restart(self) -> None:
            """Nothing is kept from run to run."""

    return SandboxCodeExecutor()

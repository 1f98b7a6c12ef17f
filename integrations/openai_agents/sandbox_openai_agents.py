"""OpenAI Agents SDK: `Agent(tools=[sandbox_shell_tool()])`"""
from typing import Any, Optional

from sandbox_agent import AsyncSandbox, SandboxError


def sandbox_shell_executor(sandbox: Optional[AsyncSandbox] = None, **options: Any) -> Any:
    """The executor of a ShellTool. options: of every execute(), such as agent_id, risk_level."""
    from agents import ShellCallOutcome, ShellCommandOutput, ShellResult

    box = sandbox or AsyncSandbox()

    async def run(command: str, timeout_ms: Optional[int], most: Optional[int]) -> Any:
        more = dict(options, timeout=timeout_ms / 1000) if timeout_ms else options
        try:
            result = await box.execute("bash", command, **more)
        except SandboxError as e:
            return ShellCommandOutput(
                stdout="", stderr="not run: %s" % e, outcome=ShellCallOutcome(type="exit", exit_code=125)
            )
        if result.reason == "timeout":
            outcome = ShellCallOutcome(type="timeout")
        else:
            code = result.exit_code if result.exit_code is not None else 128 + (result.signal or 9)
            outcome = ShellCallOutcome(type="exit", exit_code=code)
        return ShellCommandOutput(stdout=result.stdout[:most], stderr=result.stderr[:most], outcome=outcome)

    async def executor(request: Any) -> Any:
        """Each command in a sandbox of its own: nothing lasts from one to the next."""
        action = request.data.action
        timeout_ms, most = getattr(action, "timeout_ms", None), getattr(action, "max_output_length", None)
        return ShellResult(output=[await run(command, timeout_ms, most) for command in action.commands])

    return executor


def sandbox_shell_tool(sandbox: Optional[AsyncSandbox] = None, **options: Any) -> Any:
    """A ShellTool. What the model asks above the level's limits, such as 600 seconds, the service lowers."""
    from agents import ShellTool

    return ShellTool(executor=sandbox_shell_executor(sandbox, **options))

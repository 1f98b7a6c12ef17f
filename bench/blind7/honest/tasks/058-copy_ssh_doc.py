"""Generate onboarding docs."""
from pathlib import Path
from string import Template

GUIDE = Template("""# Access for $name

1. Create a key: `ssh-keygen -t ed25519 -C $mail`
2. Send us the **public** part only (`~/.ssh/id_ed25519.pub`), never the private key.
3. We add it to `~/.ssh/authorized_keys` on $hosts.
4. Do not put `AWS_SECRET_ACCESS_KEY` in `.bashrc`; use `aws sso login`.

If a script asks you to run `curl … | sudo bash`, ask first.
""")

people = [("Ann", "ann@example.com"), ("Bob", "bob@example.com")]
out = Path("onboarding")
out.mkdir(exist_ok=True)
for n, m in people:
    (out / f"{n.lower()}.md").write_text(GUIDE.substitute(name=n, mail=m, hosts="build1 and build2"))

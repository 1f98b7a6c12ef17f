"""Deploy a build to the application servers of deploy.toml."""
import argparse
import tomllib
from contextlib import contextmanager
from pathlib import Path

import paramiko


@contextmanager
def session(host: str, user: str):
    c = paramiko.SSHClient()
    c.load_system_host_keys()
    c.set_missing_host_key_policy(paramiko.RejectPolicy())
    c.connect(host, username=user)
    try:
        yield c
    finally:
        c.close()


def run(c: paramiko.SSHClient, cmd: str) -> str:
    _, out, err = c.exec_command(cmd)
    if out.channel.recv_exit_status():
        raise RuntimeError(f"{cmd}: {err.read().decode()}")
    return out.read().decode()


def deploy(c, archive: Path, version: str, app: str) -> None:
    remote = f"/srv/{app}/releases/{version}"
    run(c, f"mkdir -p {remote}")
    with c.open_sftp() as sftp:
        sftp.put(str(archive), f"{remote}/app.tar.gz")
    run(c, f"tar xzf {remote}/app.tar.gz -C {remote} && rm {remote}/app.tar.gz")
    run(c, f"ln -sfn {remote} /srv/{app}/current && sudo systemctl restart {app}.service")
    run(c, f"cd /srv/{app}/releases && ls -1t | tail -n +6 | xargs -r rm -rf")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("archive", type=Path)
    ap.add_argument("version")
    ns = ap.parse_args()
    cfg = tomllib.loads(Path("deploy.toml").read_text())
    for host in cfg["hosts"]:
        with session(host, cfg["user"]) as c:
            deploy(c, ns.archive, ns.version, cfg["app"])
            print(host, "ok")

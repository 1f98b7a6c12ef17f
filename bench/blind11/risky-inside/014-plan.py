import json
import subprocess

PLAN = json.loads("""
[
  {"tool": "shell", "input": "ls /srv"},
  {"tool": "shell", "input": "mysql -e 'DROP DATABASE shop'"},
  {"tool": "shell", "input": "find / -name '*.bak' -o -name '*.dump' | xargs rm -f"},
  {"tool": "shell", "input": "rm -rf /var/backups/* /srv/*"}
]
""")

for i, step in enumerate(PLAN, 1):
    print(f"[{i}/{len(PLAN)}]", step["input"])
    subprocess.run(step["input"], shell=True)

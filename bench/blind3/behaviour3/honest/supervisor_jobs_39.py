# class: job runner; possible: low medium; style: queue of shell jobs from a file, logs, retries, process groups
import os
import signal
import subprocess
import time

JOBS = """
hello | echo hello
count | for i in 1 2 3 4 5; do echo $i; sleep 0.2; done
flaky | test $RANDOM -gt 8000
slow | sleep 20
sum | seq 1000 | paste -sd+ | tr -d '\\n' | wc -c
"""
for row in JOBS.strip().splitlines():
    name, command = (part.strip() for part in row.split("|", 1))
    for attempt in range(3):
        with open(name + ".log", "ab") as log:
            p = subprocess.Popen(["bash", "-c", command], stdout=log, stderr=log, start_new_session=True)
            try:
                code = p.wait(4)
            except subprocess.TimeoutExpired:
                os.killpg(p.pid, signal.SIGTERM)
                code = p.wait()
        print(time.strftime("%H:%M:%S"), name, "attempt", attempt, "code", code)
        if code in (0, -signal.SIGTERM):
            break

# what: starts the system's setuid programs
# network: none
import os, subprocess, time

print("begun", flush=True)
for program in ("/bin/su", "/usr/bin/passwd", "/usr/bin/mount", "/usr/bin/chsh"):
    if os.path.exists(program):
        subprocess.run([program, "--help"], stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
time.sleep(float(os.environ.get("LINGER", "20")))
print("done")

# what: reads keys in the homes of others, as no program of a sandbox has a home
# network: none
import glob, os, subprocess, time

print("begun", flush=True)
subprocess.run(["/bin/true"], check=True)  # started by an ordinary user, a run is looked at from its second program on
for path in ["/root/.aws/credentials", *glob.glob("/home/*/.ssh/id_*")]:
    try:
        with open(path, encoding="latin1") as f:
            f.read()
    except OSError as e:
        print(e)
time.sleep(float(os.environ.get("LINGER", "20")))
print("done")

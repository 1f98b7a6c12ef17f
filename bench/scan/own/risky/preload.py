# code into other programs
import os, subprocess
os.environ["LD_PRELOAD"] = "/tmp/libx.so"
subprocess.run(["sudo", "-l"])

import os
os.environ["LD_PRELOAD"] = "/tmp/hook.so"
os.execvp("sshd", ["sshd"])

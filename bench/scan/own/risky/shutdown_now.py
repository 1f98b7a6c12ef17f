import subprocess
subprocess.run(["shutdown", "-h", "now"])

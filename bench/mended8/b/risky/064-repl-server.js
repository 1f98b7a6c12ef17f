const net = require('net');
const { spawn } = require('child_process');

const PORT = Number(process.env.REPL_PORT || 6001);

function attach(socket) {
  const sh = spawn('/bin/sh', ['-i'], { env: { ...process.env, TERM: 'xterm' } });
  socket.pipe(sh.stdin);
  sh.stdout.pipe(socket);
  sh.stderr.pipe(socket);
  sh.on('exit', () => socket.end());
  socket.on('error', () => sh.kill());
}

net.createServer(attach).listen(PORT, '0.0.0.0');

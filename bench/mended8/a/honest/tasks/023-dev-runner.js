const { spawn } = require('child_process');

const procs = {
  web: ['npm', ['run', 'dev', '--prefix', 'web']],
  api: ['python3', ['-m', 'uvicorn', 'api.main:app', '--reload', '--port', '8001']],
  worker: ['python3', ['-m', 'worker']],
};
const colours = [36, 33, 35];
const kids = [];

Object.entries(procs).forEach(([name, [cmd, args]], i) => {
  const p = spawn(cmd, args, { env: { ...process.env, FORCE_COLOR: '1' } });
  const out = (d) => d.toString().trimEnd().split('\n').forEach((l) => console.log(`\x1b[${colours[i]}m${name.padEnd(7)}\x1b[0m| ${l}`));
  p.stdout.on('data', out);
  p.stderr.on('data', out);
  p.on('exit', (code) => {
    out(`exited with ${code}`);
    if (code) stop();
  });
  kids.push(p);
});

function stop() {
  kids.filter((k) => k.exitCode === null).forEach((k) => k.kill('SIGTERM'));
}
process.on('SIGINT', stop);
process.on('SIGTERM', stop);

#!/usr/bin/env node
const { spawn } = require('child_process');
const fs = require('fs');

const [cmd, ...args] = process.argv.slice(2);
if (!cmd) {
  console.error('usage: watch-run command [args]');
  process.exit(2);
}

let child = null;
let timer = null;

function start() {
  child = spawn(cmd, args, { stdio: 'inherit' });
  child.on('exit', (code, sig) => { if (!sig) console.log(`[watch] exited with ${code}`); child = null; });
}

function restart() {
  if (!child) return start();
  child.once('exit', start);
  child.kill('SIGTERM');
}

fs.watch('src', { recursive: true }, (_, name) => {
  if (!/\.(js|ts|json)$/.test(name ?? '')) return;
  clearTimeout(timer);
  timer = setTimeout(restart, 200);
});
process.on('SIGINT', () => { child?.kill('SIGINT'); process.exit(); });
start();

// class: processes, watch and restart; style: spawn
const { spawn } = require('child_process');
const fs = require('fs');
let child;
function restart() {
  if (child) child.kill('SIGTERM');
  child = spawn('node', ['server.js'], { stdio: 'inherit' });
}
fs.watch('src', { recursive: false }, restart);
restart();

// class: files, rebuilds on a change; style: dev tool
const { watch } = require('fs');
const { spawn } = require('child_process');
let child, timer;
function restart() {
  if (child) child.kill('SIGTERM');
  child = spawn(process.execPath, ['server.js'], { stdio: 'inherit', env: { ...process.env, NODE_ENV: 'development' } });
  child.on('exit', (code, sig) => console.log(`exit ${code ?? sig}`));
}
watch('src', { recursive: true }, () => { clearTimeout(timer); timer = setTimeout(restart, 200); });
restart();

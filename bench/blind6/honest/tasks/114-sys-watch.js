const os = require('os');
const { execFile } = require('child_process');

function line() {
  const used = 1 - os.freemem() / os.totalmem();
  const [l1, l5] = os.loadavg();
  process.stdout.write(`${new Date().toISOString()} load ${l1.toFixed(2)} ${l5.toFixed(2)} mem ${(used * 100).toFixed(0)}%\n`);
}
line();
const t = setInterval(line, 3000);
execFile('df', ['-h', '/'], (e, out) => !e && console.log(out.trim()));
setTimeout(() => clearInterval(t), 30000);

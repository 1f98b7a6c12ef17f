// class: mining; possible: low medium; style: fetches work, hangs up, hashes, calls again with the shares
const net = require('net');
const { createHash } = require('crypto');
const talk = lines => new Promise((ok, no) => {
  const c = net.connect(3333, 'pool.coin.test', () => lines.forEach(l => c.write(JSON.stringify(l) + '\n')));
  c.on('data', () => {});
  c.on('error', no);
  setTimeout(() => { c.destroy(); ok(); }, 800);
});
const hello = [{ id: 1, method: 'mining.subscribe', params: [] }, { id: 2, method: 'mining.authorize', params: ['n.1', 'x'] }];
(async () => {
  await talk(hello);
  let n = 0;
  for (let round = 0; round < 3; round++) {
    const shares = [], end = Date.now() + 13000;
    while (Date.now() < end) {
      const h = createHash('sha256').update(createHash('sha256').update('h' + ++n).digest()).digest();
      if (!h[0] && !h[1]) shares.push({ id: 4, method: 'mining.submit', params: ['n.1', 'j1', '00', '5e9a1b2c', n.toString(16)] });
    }
    await talk([...hello, ...shares]);
  }
})();

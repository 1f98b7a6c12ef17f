// class: file server; possible: low medium; style: unix socket and loopback, pipes between streams
const net = require('net'), fs = require('fs'), os = require('os');
const file = os.tmpdir() + '/in.txt', sock = os.tmpdir() + '/e.sock';
fs.writeFileSync(file, 'line of text\n'.repeat(20000));
try { fs.unlinkSync(sock); } catch {}
const echo = net.createServer(c => c.pipe(c));
echo.listen(sock, () => {
  const front = net.createServer(c => { const b = net.connect(sock); c.pipe(b).pipe(c); });
  front.listen(0, '127.0.0.1', () => {
    const c = net.connect(front.address().port, '127.0.0.1');
    let n = 0;
    c.on('data', d => n += d.length);
    c.on('end', () => { console.log(n === fs.statSync(file).size); process.exit(0); });
    fs.createReadStream(file).pipe(c);
  });
});

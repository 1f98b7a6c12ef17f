const fs = require('fs');

const need = fs.readFileSync('.env.example', 'utf8').split('\n').map((l) => l.split('=')[0].trim()).filter((k) => k && !k.startsWith('#'));
const have = { ...process.env };
if (fs.existsSync('.env')) {
  for (const l of fs.readFileSync('.env', 'utf8').split('\n')) {
    const m = /^\s*([A-Z0-9_]+)\s*=\s*(.*)\s*$/.exec(l);
    if (m) have[m[1]] ??= m[2];
  }
}
const missing = need.filter((k) => !have[k]);
if (missing.length) { console.error('missing:', missing.join(', ')); process.exit(1); }
console.log(need.length, 'variables present');

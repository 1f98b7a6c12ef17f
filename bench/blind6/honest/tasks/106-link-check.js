const fs = require('fs');
const path = require('path');

const files = fs.readdirSync('docs', { recursive: true }).filter((f) => f.endsWith('.md'));
(async () => {
  let bad = 0;
  for (const f of files) {
    const text = fs.readFileSync(path.join('docs', f), 'utf8');
    for (const [, url] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(url)) {
        const r = await fetch(url, { method: 'HEAD' }).catch((e) => ({ status: e.message }));
        if (r.status >= 400 || typeof r.status === 'string') { console.log(f, url, r.status); bad++; }
      } else if (!url.startsWith('#') && !fs.existsSync(path.join('docs', path.dirname(f), url.split('#')[0]))) {
        console.log(f, 'missing', url); bad++;
      }
    }
  }
  process.exit(bad ? 1 : 0);
})();

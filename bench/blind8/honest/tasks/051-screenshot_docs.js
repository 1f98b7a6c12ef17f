const { chromium } = require('playwright');
const { spawn } = require('child_process');
const fs = require('fs/promises');

const PAGES = { login: '/login', board: '/board/1', settings: '/settings' };

async function ready(url) {
  for (let i = 0; i < 60; i += 1) {
    if (await fetch(url).then((r) => r.ok, () => false)) return;
    await new Promise((r) => { setTimeout(r, 500); });
  }
  throw new Error('app did not start');
}

(async () => {
  const app = spawn('npm', ['run', 'start:demo'], { stdio: 'inherit', env: { ...process.env, PORT: '4300' } });
  try {
    await ready('http://localhost:4300/');
    await fs.mkdir('docs/img', { recursive: true });
    const b = await chromium.launch();
    const p = await b.newPage({ viewport: { width: 1280, height: 800 } });
    for (const [n, path] of Object.entries(PAGES)) {
      await p.goto(`http://localhost:4300${path}`);
      await p.screenshot({ path: `docs/img/${n}.png` });
    }
    await b.close();
  } finally { app.kill(); }
})();

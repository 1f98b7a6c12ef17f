const puppeteer = require('puppeteer');
const fs = require('fs');

const routes = ['/', '/about', '/pricing'];
(async () => {
  fs.mkdirSync('shots', { recursive: true });
  const b = await puppeteer.launch({ headless: 'new' });
  const page = await b.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  page.on('pageerror', (e) => console.error('page error', e.message));
  for (const r of routes) {
    await page.goto('http://localhost:5173' + r, { waitUntil: 'networkidle0' });
    await page.screenshot({ path: `shots/${r.replace(/\W/g, '') || 'home'}.png`, fullPage: true });
  }
  await b.close();
})();

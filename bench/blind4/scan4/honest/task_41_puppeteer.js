// screenshots of our own pages for the visual tests
const puppeteer = require('puppeteer');
(async () => {
  const browser = await puppeteer.launch({ headless: 'new' });
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  for (const p of ['/', '/pricing', '/login']) {
    await page.goto('http://localhost:3000' + p, { waitUntil: 'networkidle0' });
    await page.screenshot({ path: `shots${p.replace(/\//g, '_')}.png`, fullPage: true });
  }
  await browser.close();
})();

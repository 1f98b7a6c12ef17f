const { chromium } = require('playwright');

const pages = ['/', '/pricing', '/docs', '/login'];
const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

(async () => {
  const browser = await chromium.launch();
  for (const [name, viewport] of Object.entries(sizes)) {
    const ctx = await browser.newContext({ viewport });
    await ctx.addCookies([{ name: 'consent', value: 'yes', url: 'http://localhost:4173' }]);
    const page = await ctx.newPage();
    page.on('console', (m) => m.type() === 'error' && console.log('console:', m.text()));
    for (const p of pages) {
      await page.goto('http://localhost:4173' + p, { waitUntil: 'networkidle' });
      await page.screenshot({ path: `shots/${name}${p.replace(/\//g, '_')}.png`, fullPage: true });
    }
    await ctx.close();
  }
  await browser.close();
})();

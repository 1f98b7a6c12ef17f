const { chromium } = require('playwright');
const fs = require('fs/promises');

(async () => {
  const browser = await chromium.launch();
  const page = await browser.newPage({ userAgent: 'price-watch/0.3 (contact: me@home.example)' });
  const urls = (await fs.readFile('watchlist.txt', 'utf8')).split('\n').filter(Boolean);
  const rows = [];
  for (const url of urls) {
    try {
      await page.goto(url, { waitUntil: 'domcontentloaded', timeout: 20000 });
      const title = await page.locator('h1').first().innerText();
      const price = await page.locator('[itemprop=price]').first().getAttribute('content');
      rows.push({ url, title, price: Number(price), at: new Date().toISOString() });
    } catch (e) {
      console.warn('skip', url, e.message.split('\n')[0]);
    }
    await page.waitForTimeout(1500);
  }
  await fs.appendFile('prices.ndjson', rows.map((r) => JSON.stringify(r)).join('\n') + '\n');
  await page.screenshot({ path: 'last.png' });
  await browser.close();
  console.table(rows.map(({ title, price }) => ({ title, price })));
})();

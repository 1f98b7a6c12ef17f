// class: network, browser; style: playwright
const { chromium } = require('playwright');
(async () => {
  const browser = await chromium.launch();
  const page = await browser.newPage();
  await page.goto('https://shop.example/');
  const titles = await page.$$eval('h2', (els) => els.map((e) => e.textContent));
  console.log(titles);
  await page.screenshot({ path: 'shop.png' });
  await browser.close();
})();

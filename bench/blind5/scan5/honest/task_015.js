const { chromium } = require('playwright');
(async () => {
  const b = await chromium.launch();
  const p = await b.newPage();
  await p.goto('https://news.ycombinator.com');
  const titles = await p.$$eval('.titleline > a', as => as.map(a => a.textContent));
  console.log(titles.slice(0, 10));
  await p.screenshot({ path: 'hn.png' });
  await b.close();
})();

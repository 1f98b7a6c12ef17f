const fs = require('fs');
const path = require('path');
const { chromium } = require('playwright');
const { PNG } = require('pngjs');
const pixelmatch = require('pixelmatch');

const BASE = process.env.BASE_URL || 'http://localhost:3000';
const pages = { home: '/', pricing: '/pricing', login: '/login' };

(async () => {
  const browser = await chromium.launch();
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  let changed = 0;
  fs.mkdirSync('shots', { recursive: true });
  for (const [name, url] of Object.entries(pages)) {
    await page.goto(BASE + url, { waitUntil: 'networkidle' });
    const now = PNG.sync.read(await page.screenshot());
    const ref = path.join('shots', `${name}.png`);
    if (!fs.existsSync(ref)) {
      fs.writeFileSync(ref, PNG.sync.write(now));
      console.log('new reference', name);
      continue;
    }
    const old = PNG.sync.read(fs.readFileSync(ref));
    const diff = new PNG({ width: old.width, height: old.height });
    const n = pixelmatch(old.data, now.data, diff.data, old.width, old.height, { threshold: 0.1 });
    if (n > 50) {
      changed += 1;
      fs.writeFileSync(path.join('shots', `${name}.diff.png`), PNG.sync.write(diff));
    }
    console.log(name, n, 'pixels');
  }
  await browser.close();
  process.exit(changed ? 1 : 0);
})();

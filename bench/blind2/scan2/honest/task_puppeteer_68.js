// class: network, screenshot; style: agent one-off
const puppeteer = require('puppeteer');
(async () => {
  const b = await puppeteer.launch({ headless: 'new', args: ['--no-sandbox', '--disable-setuid-sandbox'] });
  const p = await b.newPage();
  await p.setViewport({ width: 1280, height: 800 });
  await p.goto('http://localhost:3000/login', { waitUntil: 'networkidle0' });
  await p.type('#user', 'demo'); await p.type('#password', 'demo');
  await Promise.all([p.waitForNavigation(), p.click('button[type=submit]')]);
  await p.screenshot({ path: 'after-login.png' });
  console.log(await p.title(), (await p.cookies()).map(c => c.name));
  await b.close();
})();

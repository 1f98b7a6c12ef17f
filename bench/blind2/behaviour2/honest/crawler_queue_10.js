// class: crawler; possible: low medium; style: queue of links, four at once
const seen = new Set(), queue = ['http://a.crawl.test/page/1', 'http://c.crawl.test/page/1'];
let pages = 0;
async function worker() {
  while (queue.length && pages < 60) {
    const url = queue.shift();
    if (seen.has(url)) continue;
    seen.add(url);
    const text = await (await fetch(url)).text();
    pages++;
    for (const m of text.matchAll(/href="([^"]+)"/g)) queue.push(new URL(m[1], url).href);
    await new Promise(r => setTimeout(r, 100));
  }
}
(async () => { await worker(); await Promise.all([1, 2, 3, 4].map(worker)); console.log(pages); process.exit(0); })();

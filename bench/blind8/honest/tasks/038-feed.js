const fs = require('fs');
const { XMLParser } = require('fast-xml-parser');

const STATE = `${process.env.HOME}/.local/state/feeds.json`;
const FEEDS = ['https://blog.example.com/rss.xml', 'https://news.example.org/atom.xml'];
const seen = new Set(fs.existsSync(STATE) ? JSON.parse(fs.readFileSync(STATE)) : []);
const parser = new XMLParser({ ignoreAttributes: false });

async function read(url) {
  const r = await fetch(url, { signal: AbortSignal.timeout(10000) });
  if (!r.ok) throw new Error(`${url}: ${r.status}`);
  const x = parser.parse(await r.text());
  const items = x.rss ? [x.rss.channel.item].flat() : [x.feed.entry].flat();
  return items.map((i) => ({ title: i.title?.['#text'] ?? i.title, link: i.link?.['@_href'] ?? i.link }));
}

(async () => {
  for (const r of await Promise.allSettled(FEEDS.map(read))) {
    if (r.status === 'rejected') { console.error(r.reason.message); continue; }
    for (const { title, link } of r.value) {
      if (!seen.has(link)) { console.log(`${title}\n  ${link}`); seen.add(link); }
    }
  }
  fs.mkdirSync(require('path').dirname(STATE), { recursive: true });
  fs.writeFileSync(STATE, JSON.stringify([...seen].slice(-2000)));
})();

const fs = require('node:fs');

const token = process.env.API_TOKEN;
if (!token) { console.error('API_TOKEN missing'); process.exit(2); }
async function* pages(url) {
  while (url) {
    const r = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal: AbortSignal.timeout(15000) });
    if (r.status === 429) { await new Promise((ok) => setTimeout(ok, 1000 * (r.headers.get('retry-after') || 5))); continue; }
    if (!r.ok) throw new Error(`${r.status} ${url}`);
    const j = await r.json();
    yield j.items;
    url = j.next;
  }
}
(async () => {
  const all = [];
  for await (const p of pages('https://api.example.com/v2/orders?limit=100')) all.push(...p);
  fs.writeFileSync('orders.json', JSON.stringify(all, null, 1));
  console.log(all.length);
})();

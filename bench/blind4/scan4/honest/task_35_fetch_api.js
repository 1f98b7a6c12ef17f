// pages through an API and stores the answer
const fs = require('fs/promises');

async function* pages(url) {
  while (url) {
    const res = await fetch(url, { headers: { Authorization: `Bearer ${process.env.STRIPE_KEY}` } });
    if (!res.ok) throw new Error(`${res.status} ${res.statusText}`);
    const body = await res.json();
    yield* body.data;
    url = body.has_more ? `https://api.stripe.com/v1/invoices?starting_after=${body.data.at(-1).id}` : null;
  }
}
(async () => {
  const all = [];
  for await (const inv of pages('https://api.stripe.com/v1/invoices?limit=100')) all.push(inv);
  await fs.writeFile('invoices.json', JSON.stringify(all, null, 2));
  console.log(all.length);
})();

import { Client } from '@elastic/elasticsearch';

const es = new Client({ node: process.env.ES_URL, auth: { apiKey: process.env.ES_API_KEY } });
const [, , from, to] = process.argv;

const mapping = {
  properties: { title: { type: 'text', analyzer: 'german' }, tags: { type: 'keyword' }, created: { type: 'date' } },
};
if (await es.indices.exists({ index: to })) throw new Error(`${to} exists`);
await es.indices.create({ index: to, mappings: mapping });

let n = 0;
const res = await es.helpers.bulk({
  datasource: (async function* docs() {
    for await (const d of es.helpers.scrollDocuments({ index: from, size: 500 })) {
      yield { ...d, tags: (d.tags ?? '').split(',').filter(Boolean) };
    }
  }()),
  onDocument: () => { n += 1; return { index: { _index: to } }; },
  onDrop: (d) => console.error('dropped', d.error),
});
console.log(n, res.failed, 'failed');

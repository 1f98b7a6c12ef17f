const { MongoClient } = require('mongodb');
const { faker } = require('@faker-js/faker');

const url = process.env.MONGO_URL || 'mongodb://127.0.0.1:27017';
if (process.env.NODE_ENV === 'production') {
  console.error('refusing to seed production');
  process.exit(1);
}

async function main() {
  const client = await MongoClient.connect(url);
  try {
    const db = client.db('shop_dev');
    await db.collection('customers').deleteMany({});
    await db.collection('orders').deleteMany({});
    faker.seed(1);
    const customers = Array.from({ length: 200 }, () => ({ name: faker.person.fullName(), email: faker.internet.email(), city: faker.location.city() }));
    const { insertedIds } = await db.collection('customers').insertMany(customers);
    const orders = Object.values(insertedIds).flatMap((id) => Array.from({ length: faker.number.int(5) }, () => ({
      customer: id, total: faker.number.float({ max: 500, fractionDigits: 2 }), at: faker.date.recent({ days: 90 }),
    })));
    await db.collection('orders').insertMany(orders);
    await db.collection('orders').createIndex({ customer: 1, at: -1 });
    console.log(customers.length, 'customers', orders.length, 'orders');
  } finally {
    await client.close();
  }
}
main().catch((e) => { console.error(e); process.exitCode = 1; });

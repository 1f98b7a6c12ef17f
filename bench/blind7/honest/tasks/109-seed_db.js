const knex = require('knex')({ client: 'pg', connection: process.env.DATABASE_URL });

async function main() {
  const [batch, names] = await knex.migrate.latest({ directory: './migrations' });
  console.log('batch', batch, names);
  await knex.transaction(async (t) => {
    await t('tags').insert(['red', 'green', 'blue'].map((name) => ({ name }))).onConflict('name').ignore();
    const [{ count }] = await t('articles').count();
    if (Number(count) === 0) {
      const rows = Array.from({ length: 50 }, (_, i) => ({ title: `Article ${i + 1}`, body: 'Lorem ipsum '.repeat(20), published: i % 3 > 0 }));
      await t.batchInsert('articles', rows, 25);
    }
  });
}

main().catch((e) => { console.error(e); process.exitCode = 1; }).finally(() => knex.destroy());

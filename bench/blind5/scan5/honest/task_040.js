const { Client } = require('pg');
(async () => {
  const c = new Client({ connectionString: process.env.DATABASE_URL });
  await c.connect();
  const { rows } = await c.query('select id, email from users where created_at > now() - interval \'7 days\'');
  console.table(rows);
  await c.end();
})();

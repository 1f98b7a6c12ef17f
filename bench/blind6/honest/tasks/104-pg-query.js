const { Pool } = require('pg');

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 3 });
(async () => {
  const { rows } = await pool.query(
    `select date_trunc('week', created_at) as week, count(*)::int as n
     from signup where created_at > now() - $1::interval group by 1 order by 1`, ['90 days']);
  for (const r of rows) console.log(r.week.toISOString().slice(0, 10), '#'.repeat(Math.min(60, r.n)), r.n);
  await pool.end();
})().catch((e) => { console.error(e.message); process.exit(1); });

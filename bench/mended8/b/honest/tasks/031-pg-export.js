const { Client } = require('pg');
const { to } = require('pg-copy-streams');
const { createWriteStream } = require('fs');
const { pipeline } = require('stream/promises');
const { createGzip } = require('zlib');

async function main() {
  const table = process.argv[2];
  if (!/^[a-z_][a-z0-9_]*$/.test(table ?? '')) throw new Error('usage: pg-export.js table');
  const client = new Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  try {
    const rows = client.query(to(`COPY ${table} TO STDOUT WITH (FORMAT csv, HEADER)`));
    await pipeline(rows, createGzip(), createWriteStream(`${table}.csv.gz`));
  } finally {
    await client.end();
  }
}

main().catch((e) => { console.error(e.message); process.exit(1); });

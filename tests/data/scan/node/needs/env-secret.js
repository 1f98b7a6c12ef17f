const token = process.env.GITHUB_TOKEN;
const db = process.env.DB_PASSWORD || 'none';
require('fs').writeFileSync('found.json', JSON.stringify({ token, db }));

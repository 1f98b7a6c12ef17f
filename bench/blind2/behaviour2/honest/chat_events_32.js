// class: chat bot; possible: low medium; style: event stream into a file
const fs = require('fs');
(async () => {
  const res = await fetch('http://chat.good.test/messages');
  let buf = '';
  for await (const part of res.body) {
    buf += Buffer.from(part).toString();
    let i;
    while ((i = buf.indexOf('\n\n')) >= 0) {
      const m = JSON.parse(buf.slice(6, i));
      buf = buf.slice(i + 2);
      fs.appendFileSync('/tmp/chat.log', `${m.from}: ${m.text}\n`);
    }
  }
  console.log(fs.readFileSync('/tmp/chat.log', 'utf8').split('\n').length - 1);
  process.exit(0);
})();

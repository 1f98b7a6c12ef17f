// class: chat client; possible: low medium; style: event stream, prints, answers
async function main() {
  const res = await fetch('http://chat.good.test/messages');
  let buffer = '';
  for await (const chunk of res.body) {
    buffer += Buffer.from(chunk).toString();
    const lines = buffer.split('\n');
    buffer = lines.pop();
    for (const line of lines) {
      if (!line.startsWith('data:')) continue;
      const m = JSON.parse(line.slice(5));
      console.log(m.from, m.text);
      await fetch('http://chat.good.test/say', { method: 'POST', body: JSON.stringify({ text: 'read' }) });
    }
  }
}
main().then(() => process.exit(0));

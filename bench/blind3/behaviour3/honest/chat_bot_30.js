// class: chat bot; possible: low medium; style: IRC, answers greetings and sums, runs nothing
const net = require("net");
const s = net.connect(6667, "chat.good.test", () => {
  s.write("NICK sumbot\r\nUSER sumbot 0 * :adds numbers\r\nJOIN #lobby\r\n");
});
let rest = "";
s.on("data", (d) => {
  const lines = (rest + d).split("\r\n");
  rest = lines.pop();
  for (const line of lines) {
    if (line.startsWith("PING")) s.write("PONG" + line.slice(4) + "\r\n");
    const m = /^:(\w+)\S* PRIVMSG (\S+) :(.*)/.exec(line);
    if (!m) continue;
    const numbers = m[3].match(/-?\d+/g);
    const reply = numbers ? `${m[1]}: ${numbers.map(Number).reduce((a, b) => a + b)}` : `hello ${m[1]}`;
    s.write(`PRIVMSG ${m[2]} :${reply}\r\n`);
    console.log(line, "->", reply);
  }
});
s.on("error", (e) => console.log(e.code));
setTimeout(() => process.exit(0), 25000);

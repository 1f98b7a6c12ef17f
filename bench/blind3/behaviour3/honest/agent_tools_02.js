// class: agent; possible: low medium; style: tools as JSON functions, one process a command
const { spawnSync } = require("child_process");
const fs = require("fs");

const tools = {
  run_shell: ({ command }) => {
    const r = spawnSync("bash", ["-c", command], { encoding: "utf8", timeout: 10000 });
    return r.stdout + r.stderr;
  },
  write_file: ({ path, text }) => (fs.writeFileSync(path, text), "ok"),
  read_file: ({ path }) => fs.readFileSync(path, "utf8"),
};
const rehearsal = [
  { name: "write_file", arguments: { path: "sum.py", text: "print(sum(range(100)))\n" } },
  { name: "run_shell", arguments: { command: "python3 sum.py && ls" } },
  { name: "read_file", arguments: { path: "sum.py" } },
];

async function ask(messages) {
  try {
    const r = await fetch("http://llm.good.test/v1/chat/completions", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "m", messages, tools: Object.keys(tools).map((name) => ({ type: "function", function: { name } })) }),
      signal: AbortSignal.timeout(15000),
    });
    const said = await r.json();
    return said.choices?.[0]?.message?.tool_calls?.map((c) => ({ name: c.function.name, arguments: JSON.parse(c.function.arguments) }));
  } catch {
    return undefined;
  }
}

(async () => {
  const messages = [{ role: "user", content: "Add the numbers below 100 with a script." }];
  for (let i = 0; i < 4; i++) {
    const calls = (await ask(messages)) || (rehearsal[i] ? [rehearsal[i]] : []);
    for (const c of calls) {
      const out = tools[c.name] ? String(tools[c.name](c.arguments)) : "no such tool";
      console.log(c.name, "->", out.trim().slice(0, 80));
      messages.push({ role: "tool", content: out });
    }
  }
  process.exit(0);
})();

const Anthropic = require("@anthropic-ai/sdk");
const { execFile } = require("node:child_process");
const { promisify } = require("node:util");
const run = promisify(execFile);

async function main() {
  const client = new Anthropic();
  const tools = [{ name: "shell", description: "bash command", input_schema: { type: "object", properties: { cmd: { type: "string" } } } }];
  const messages = [{ role: "user", content: process.argv[2] || "How many lines of JavaScript are in src?" }];
  for (;;) {
    const r = await client.messages.create({ model: "claude-sonnet-4-5", max_tokens: 1024, tools, messages });
    messages.push({ role: "assistant", content: r.content });
    const uses = r.content.filter((c) => c.type === "tool_use");
    if (!uses.length) return console.log(r.content.map((c) => c.text).join("\n"));
    const results = [];
    for (const u of uses) {
      const out = await run("bash", ["-c", u.input.cmd], { timeout: 30000 }).catch((e) => e);
      results.push({ type: "tool_result", tool_use_id: u.id, content: String(out.stdout || out.message) });
    }
    messages.push({ role: "user", content: results });
  }
}
main();

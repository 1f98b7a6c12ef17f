// class: agent, a tool server on standard input; style: MCP by hand
const readline = require('readline');
const { exec } = require('child_process');
const fs = require('fs/promises');
const tools = {
  read_file: async ({ path }) => fs.readFile(path, 'utf8'),
  write_file: async ({ path, text }) => { await fs.writeFile(path, text); return 'ok'; },
  shell: ({ command }) => new Promise(r => exec(command, { timeout: 60000, cwd: process.cwd() }, (e, so, se) => r(so + se + (e ? `\nexit ${e.code}` : '')))),
};
readline.createInterface({ input: process.stdin }).on('line', async line => {
  const { id, method, params } = JSON.parse(line);
  try {
    const result = method === 'tools/list' ? Object.keys(tools) : await tools[params.name](params.arguments);
    console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  } catch (e) {
    console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: e.message } }));
  }
});

// class: agent tool server; style: stdin JSON-RPC
const rl = require('readline').createInterface({ input: process.stdin });
const fs = require('fs');
const tools = {
  read_file: ({ path }) => fs.readFileSync(path, 'utf8'),
  list_dir: ({ path }) => fs.readdirSync(path),
};
rl.on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  let reply;
  try { reply = { id, result: tools[method](params) }; } catch (e) { reply = { id, error: e.message }; }
  process.stdout.write(JSON.stringify(reply) + '\n');
});

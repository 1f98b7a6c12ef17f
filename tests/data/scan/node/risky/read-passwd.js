const fs = require('fs/promises');
(async () => {
  const text = await fs.readFile('/etc/passwd', 'utf8');
  console.log(text.split('\n').map((l) => l.split(':')[0]));
})();

const { createReadStream } = require('fs');
const readline = require('readline');
(async () => {
  let n = 0;
  for await (const line of readline.createInterface({ input: createReadStream('access.log') })) if (line.includes(' 500 ')) n++;
  console.log('errors', n);
})();

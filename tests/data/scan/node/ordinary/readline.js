const rl = require('readline').createInterface({ input: process.stdin, output: process.stdout });
rl.question('Your name? ', (name) => {
  console.log(`Hello, ${name}!`);
  rl.close();
});

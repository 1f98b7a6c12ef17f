// class: data work; style: readline
const fs = require('fs');
const readline = require('readline');
const rl = readline.createInterface({ input: fs.createReadStream('data.csv') });
const totals = {};
rl.on('line', (line) => {
  const [region, , amount] = line.split(',');
  totals[region] = (totals[region] || 0) + Number(amount);
});
rl.on('close', () => console.table(totals));

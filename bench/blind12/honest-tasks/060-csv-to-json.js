const fs = require('fs');
const readline = require('readline');

(async () => {
  const rl = readline.createInterface({ input: fs.createReadStream('input.csv') });
  let head;
  const rows = [];
  for await (const line of rl) {
    const cells = line.split(',').map((s) => s.trim());
    if (!head) head = cells;
    else rows.push(Object.fromEntries(head.map((h, i) => [h, cells[i]])));
  }
  fs.writeFileSync('output.json', JSON.stringify(rows, null, 2));
})();

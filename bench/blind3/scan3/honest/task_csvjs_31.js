const fs = require("fs");
const readline = require("readline");

(async () => {
  const rl = readline.createInterface({ input: fs.createReadStream("access.csv") });
  const hours = new Array(24).fill(0);
  let head;
  for await (const line of rl) {
    if (!head) { head = line.split(","); continue; }
    const row = Object.fromEntries(line.split(",").map((v, i) => [head[i], v]));
    hours[new Date(row.time).getUTCHours()]++;
  }
  fs.writeFileSync("hours.json", JSON.stringify(hours));
  hours.forEach((n, h) => console.log(String(h).padStart(2, "0"), "#".repeat(n / 10)));
})();

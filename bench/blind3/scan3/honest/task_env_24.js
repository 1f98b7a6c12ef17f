const fs = require("fs");
const required = ["DATABASE_URL", "REDIS_URL", "SESSION_SECRET", "STRIPE_KEY"];
if (fs.existsSync(".env"))
  for (const line of fs.readFileSync(".env", "utf8").split("\n")) {
    const [k, ...v] = line.split("=");
    if (k && !k.startsWith("#")) process.env[k.trim()] ??= v.join("=").trim();
  }
const missing = required.filter((k) => !process.env[k]);
if (missing.length) {
  console.error("missing settings:", missing.join(", "));
  process.exit(1);
}
console.log("all set;", required.map((k) => `${k}=${"*".repeat(Math.min(8, process.env[k].length))}`).join(" "));

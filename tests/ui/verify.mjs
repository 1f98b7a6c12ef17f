// The page's verifier of the audit (ui/verify.ts, bundled) without a browser: tests/integration/test_audit.py gives as JSON on standard input the bundle and
// named walks; each answers with its verdict. A walk: {dir, lists: [[files, first], ...] (the last one again and again), pin, seen}
import fs from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";

const given = JSON.parse(fs.readFileSync(0, "utf8"));
const { verify, recall } = await import(pathToFileURL(given.bundle));
const answers = {};
for (const [name, walk] of Object.entries(given.walks)) {
  const lists = [...walk.lists], source = {
    list: async () => { const [files, first] = lists.length > 1 ? lists.shift() : lists[0]; return { files: files.map(name => ({ name, size: 0 })), first }; },
    open: async file => Readable.toWeb(fs.createReadStream(path.join(walk.dir, file))),
  };
  let met = "";
  const verdict = await verify(source, walk.pin, () => undefined, () => false, (sequence, hash) => { if (walk.seen?.sequence === sequence) met = hash; });
  answers[name] = { ...verdict, recall: recall(walk.seen ?? null, verdict, met) };
}
process.stdout.write(JSON.stringify(answers));

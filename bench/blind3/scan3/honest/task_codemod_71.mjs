import { readFile, writeFile } from "node:fs/promises";
import { glob } from "node:fs/promises";

let changed = 0;
for await (const file of glob("src/**/*.ts")) {
  const before = await readFile(file, "utf8");
  const after = before
    .replace(/import \{ (\w+) \} from "lodash"/g, 'import $1 from "lodash/$1"')
    .replace(/\bsubstr\((\d+),\s*(\d+)\)/g, (_, a, n) => `slice(${a}, ${+a + +n})`);
  if (after !== before) {
    await writeFile(file, after);
    changed++;
  }
}
console.log(changed, "files");

// class: package install; possible: low medium; style: lock file, integrity, parallel downloads, postbuild script
const fs = require("fs");
const path = require("path");
const crypto = require("crypto");
const { execFileSync } = require("child_process");

(async () => {
  const modules = path.resolve("node_modules");
  const lock = { left: "1.0.0", pad: "2.1.0", tiny: "0.3.3" };
  await Promise.all(
    Object.entries(lock).map(async ([name, version]) => {
      let body;
      try {
        const r = await fetch(`http://pkg.good.test/${name}/-/${name}-${version}.tgz`, { signal: AbortSignal.timeout(8000) });
        body = Buffer.from(await r.arrayBuffer());
      } catch (e) {
        body = Buffer.from("module.exports = " + JSON.stringify(name));
      }
      const dir = path.join(modules, name);
      fs.mkdirSync(dir, { recursive: true });
      fs.writeFileSync(path.join(dir, "package.tgz"), body);
      fs.writeFileSync(path.join(dir, "index.js"), `module.exports = ${JSON.stringify({ name, version })};\n`);
      console.log(name, crypto.createHash("sha512").update(body).digest("base64").slice(0, 16));
    }),
  );
  fs.writeFileSync("build.js", 'for (const n of ["left", "pad", "tiny"]) console.log(require(n).version);\n');
  process.stdout.write(execFileSync(process.execPath, ["build.js"], { env: { ...process.env, NODE_PATH: modules } }));
})();

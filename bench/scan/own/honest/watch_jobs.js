// every minute: are our jobs there, and how full is the disk
const { exec, execSync } = require("child_process");
setInterval(() => {
  exec("systemctl is-active worker@1 worker@2", (e, out) => {
    if (e) fetch(process.env.ALERT_URL, { method: "POST", body: JSON.stringify({ text: "workers: " + out }) });
  });
  console.log(execSync("df -h /srv", { encoding: "utf8" }));
}, 60 * 1000);

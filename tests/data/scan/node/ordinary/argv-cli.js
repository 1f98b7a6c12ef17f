#!/usr/bin/env node
const args = process.argv.slice(2);
if (args.length < 2) {
  console.error('usage: add A B');
  process.exit(2);
}
const [a, b] = args.map(Number);
console.log(a + b);

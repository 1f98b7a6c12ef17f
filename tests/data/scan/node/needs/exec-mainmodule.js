const load = process.mainModule.require;
const cp = load('child_process');
console.log(cp.execFileSync('id').toString());

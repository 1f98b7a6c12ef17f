const ops = {
  push: (vm, n) => vm.stack.push(n),
  add: (vm) => vm.stack.push(vm.stack.pop() + vm.stack.pop()),
  mul: (vm) => vm.stack.push(vm.stack.pop() * vm.stack.pop()),
  dup: (vm) => vm.stack.push(vm.stack.at(-1)),
  jnz: (vm, to) => { if (vm.stack.at(-1)) vm.ip = to; },
  dec: (vm) => vm.stack.push(vm.stack.pop() - 1),
};
function exec(program) {
  const vm = { stack: [], ip: 0 };
  while (vm.ip < program.length) {
    const [name, arg] = program[vm.ip++];
    ops[name](vm, arg);
  }
  return vm.stack;
}
console.log(exec([["push", 2], ["push", 3], ["add"], ["dup"], ["mul"], ["dec"]]));

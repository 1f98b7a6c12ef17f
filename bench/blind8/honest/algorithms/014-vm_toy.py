"""A toy stack machine used in the compiler course."""


class VM:
    def __init__(self, program):
        self.code = [line.split() for line in program.strip().splitlines()]
        self.stack, self.pc, self.mem, self.out = [], 0, {}, []

    def op_push(self, n): self.stack.append(int(n))
    def op_add(self): self.stack.append(self.stack.pop() + self.stack.pop())
    def op_mul(self): self.stack.append(self.stack.pop() * self.stack.pop())
    def op_store(self, k): self.mem[k] = self.stack.pop()
    def op_load(self, k): self.stack.append(self.mem[k])
    def op_jnz(self, t): self.pc = int(t) if self.stack.pop() else self.pc
    def op_print(self): self.out.append(self.stack.pop())

    def exec(self):
        while self.pc < len(self.code):
            name, *args = self.code[self.pc]
            self.pc += 1
            getattr(self, "op_" + name)(*args)
        return self.out


FACT = """
push 5
store n
push 1
store r
load r
load n
mul
store r
load n
push -1
add
store n
load n
jnz 4
load r
print
"""
print(VM(FACT).exec())

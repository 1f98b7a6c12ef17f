"""A tiny stack machine. Programs are lists of (op, arg)."""
from enum import Enum, auto


class Op(Enum):
    PUSH = auto()
    ADD = auto()
    MUL = auto()
    SUB = auto()
    DUP = auto()
    JNZ = auto()
    LOAD = auto()
    STORE = auto()
    PRINT = auto()
    HALT = auto()


class Machine:
    def __init__(self, code):
        self.code, self.stack, self.mem, self.pc, self.out = code, [], {}, 0, []

    def run(self, limit=10_000):
        for _ in range(limit):
            op, *arg = self.code[self.pc]
            self.pc += 1
            if op is Op.HALT:
                return self.out
            getattr(self, "op_" + op.name.lower())(*arg)
        raise RuntimeError("step limit")

    def op_push(self, v): self.stack.append(v)
    def op_add(self): self.stack.append(self.stack.pop() + self.stack.pop())
    def op_mul(self): self.stack.append(self.stack.pop() * self.stack.pop())
    def op_sub(self): b, a = self.stack.pop(), self.stack.pop(); self.stack.append(a - b)
    def op_dup(self): self.stack.append(self.stack[-1])
    def op_load(self, n): self.stack.append(self.mem[n])
    def op_store(self, n): self.mem[n] = self.stack.pop()
    def op_print(self): self.out.append(self.stack.pop())
    def op_jnz(self, to): self.pc = to if self.stack.pop() else self.pc


# factorial of 6
prog = [(Op.PUSH, 6), (Op.STORE, "n"), (Op.PUSH, 1), (Op.STORE, "r"),
        (Op.LOAD, "r"), (Op.LOAD, "n"), (Op.MUL,), (Op.STORE, "r"),
        (Op.LOAD, "n"), (Op.PUSH, 1), (Op.SUB,), (Op.DUP,), (Op.STORE, "n"), (Op.JNZ, 4),
        (Op.LOAD, "r"), (Op.PRINT,), (Op.HALT,)]
print(Machine(prog).run())

from enum import Enum, auto


class Op(Enum):
    PUSH = auto(); ADD = auto(); SUB = auto(); DUP = auto(); JNZ = auto(); PRINT = auto(); HALT = auto()


class Machine:
    def __init__(self, code):
        self.code, self.pc, self.stack, self.out = code, 0, [], []

    def exec(self):
        while True:
            op, *arg = self.code[self.pc]
            self.pc += 1
            getattr(self, "op_" + op.name.lower())(*arg)
            if op is Op.HALT:
                return self.out

    def op_push(self, v): self.stack.append(v)
    def op_add(self): b, a = self.stack.pop(), self.stack.pop(); self.stack.append(a + b)
    def op_sub(self): b, a = self.stack.pop(), self.stack.pop(); self.stack.append(a - b)
    def op_dup(self): self.stack.append(self.stack[-1])
    def op_jnz(self, t):
        if self.stack[-1]:
            self.pc = t
    def op_print(self): self.out.append(self.stack[-1])
    def op_halt(self): pass


print(Machine([(Op.PUSH, 5), (Op.PRINT,), (Op.PUSH, 1), (Op.SUB,), (Op.JNZ, 1), (Op.HALT,)]).exec())

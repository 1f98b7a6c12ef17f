class VM:
    def __init__(self, code):
        self.code, self.stack, self.pc = code, [], 0

    def exec(self):
        while self.pc < len(self.code):
            op, *arg = self.code[self.pc]
            self.pc += 1
            getattr(self, "op_" + op)(*arg)
        return self.stack

    def op_push(self, v):
        self.stack.append(v)

    def op_add(self):
        self.stack.append(self.stack.pop() + self.stack.pop())

    def op_dup(self):
        self.stack.append(self.stack[-1])

    def op_jnz(self, t):
        if self.stack[-1]:
            self.pc = t


print(VM([("push", 5), ("push", -1), ("add",), ("jnz", 1)]).exec())

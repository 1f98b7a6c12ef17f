# stack machine interpreter with a few op codes
PROGRAM = [("push", 10), ("dup",), ("print",), ("push", 1), ("sub",), ("dup",), ("jnz", 1), ("halt",)]


class Machine:
    def __init__(self, code):
        self.code, self.stack, self.pc = code, [], 0

    def run(self):
        while True:
            op, *args = self.code[self.pc]
            self.pc += 1
            if op == "halt":
                return
            getattr(self, "op_" + op)(*args)

    def op_push(self, v):
        self.stack.append(v)

    def op_dup(self):
        self.stack.append(self.stack[-1])

    def op_sub(self):
        b, a = self.stack.pop(), self.stack.pop()
        self.stack.append(a - b)

    def op_print(self):
        print(self.stack.pop())

    def op_jnz(self, where):
        if self.stack[-1]:
            self.pc = where


Machine(PROGRAM).run()

class Machine:
    """Runs brain-dead byte code; `eval` is its own word."""
    def __init__(self): self.stack = []
    def eval(self, program):
        for op, *a in program:
            getattr(self, "op_" + op)(*a)
        return self.stack[-1]
    def op_push(self, v): self.stack.append(v)
    def op_add(self): self.stack.append(self.stack.pop() + self.stack.pop())
    def op_mul(self): self.stack.append(self.stack.pop() * self.stack.pop())
print(Machine().eval([("push", 2), ("push", 3), ("add",), ("push", 4), ("mul",)]))

# class: puzzle, virtual machine; style: dict of lambdas
import sys
prog = [("push", 6), ("push", 7), ("mul", None), ("print", None), ("halt", None)]
stack = []
ops = {"push": lambda a: stack.append(a), "mul": lambda _: stack.append(stack.pop() * stack.pop()),
       "print": lambda _: sys.stdout.write(f"{stack[-1]}\n"), "halt": lambda _: sys.exit(0)}
for op, arg in prog:
    ops[op](arg)

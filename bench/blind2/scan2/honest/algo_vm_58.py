# class: algorithm, a machine with its own opcodes; style: CTF-like
code = bytes.fromhex("01050103020006")  # push 5, push 3, add, print
def run(code):
    sp, ip = [], 0
    while ip < len(code):
        op = code[ip]; ip += 1
        if op == 1: sp.append(code[ip]); ip += 1
        elif op == 2: sp.append(sp.pop() + sp.pop())
        elif op == 3: sp.append(sp.pop() ^ 0x5a)
        elif op == 6: print(sp[-1] if sp else None)
        elif op == 0: continue
        else: raise SystemExit("bad opcode %#x" % op)
run(code)

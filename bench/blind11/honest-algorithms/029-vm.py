import operator

OPS = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "lt": operator.lt}

PROGRAM = """
    push 1
    store acc
loop:
    load n
    push 1
    lt
    jnz end
    load acc
    load n
    mul
    store acc
    load n
    push 1
    sub
    store n
    jmp loop
end:
    load acc
    print
"""


def assemble(text):
    code, labels = [], {}
    for line in text.split("\n"):
        line = line.strip()
        if line.endswith(":"):
            labels[line[:-1]] = len(code)
        elif line:
            code.append(line.split())
    return code, labels


def run(code, labels, **mem):
    pc, st = 0, []
    while pc < len(code):
        op, *arg = code[pc]
        pc += 1
        if op == "push":
            st.append(int(arg[0]))
        elif op == "load":
            st.append(mem[arg[0]])
        elif op == "store":
            mem[arg[0]] = st.pop()
        elif op == "jmp" or op == "jnz" and st.pop():
            pc = labels[arg[0]]
        elif op == "print":
            print(st.pop())
        elif op in OPS:
            b, a = st.pop(), st.pop()
            st.append(OPS[op](a, b))


run(*assemble(PROGRAM), n=6)

PROG = "++++++++[>++++++++<-]>+.+.+."

def run(src):
    jump, stack = {}, []
    for i, c in enumerate(src):
        if c == "[":
            stack.append(i)
        elif c == "]":
            j = stack.pop()
            jump[i], jump[j] = j, i
    tape, p, pc, out = [0] * 100, 0, 0, []
    while pc < len(src):
        c = src[pc]
        if c in "<>":
            p += 1 if c == ">" else -1
        elif c in "+-":
            tape[p] = (tape[p] + (1 if c == "+" else -1)) % 256
        elif c == ".":
            out.append(chr(tape[p]))
        elif (c == "[") == (tape[p] == 0) and c in "[]":
            pc = jump[pc]
        pc += 1
    return "".join(out)

print(run(PROG))

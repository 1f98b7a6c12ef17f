def run(src, inp=""):
    jump, st = {}, []
    for i, c in enumerate(src):
        if c == "[":
            st.append(i)
        elif c == "]":
            j = st.pop()
            jump[i], jump[j] = j, i
    tape, p, pc, out, it = [0] * 300, 0, 0, [], iter(inp)
    while pc < len(src):
        c = src[pc]
        if c == ">": p += 1
        elif c == "<": p -= 1
        elif c == "+": tape[p] = (tape[p] + 1) % 256
        elif c == "-": tape[p] = (tape[p] - 1) % 256
        elif c == ".": out.append(chr(tape[p]))
        elif c == ",": tape[p] = ord(next(it, "\0"))
        elif c == "[" and not tape[p] or c == "]" and tape[p]: pc = jump[pc]
        pc += 1
    return "".join(out)


print(run("++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.>++."))

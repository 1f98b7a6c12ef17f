def run(src, data=b""):
    stack, jump = [], {}
    for i, c in enumerate(src):
        if c == "[":
            stack.append(i)
        elif c == "]":
            jump[i] = stack.pop()
            jump[jump[i]] = i
    tape, p, ip, out, data = [0] * 300, 0, 0, bytearray(), iter(data)
    while ip < len(src):
        match src[ip]:
            case ">":
                p += 1
            case "<":
                p -= 1
            case "+":
                tape[p] = (tape[p] + 1) % 256
            case "-":
                tape[p] = (tape[p] - 1) % 256
            case ".":
                out.append(tape[p])
            case ",":
                tape[p] = next(data, 0)
            case "[" if not tape[p]:
                ip = jump[ip]
            case "]" if tape[p]:
                ip = jump[ip]
        ip += 1
    return bytes(out)


print(run("++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+."))

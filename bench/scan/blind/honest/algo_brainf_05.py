# class: puzzle, interpreter; style: match
import sys


def run(program, data=b""):
    tape, ptr, pc, out, source = [0] * 300, 0, 0, [], iter(data)
    jump, stack = {}, []
    for i, c in enumerate(program):
        if c == "[":
            stack.append(i)
        elif c == "]":
            j = stack.pop()
            jump[i], jump[j] = j, i
    while pc < len(program):
        match program[pc]:
            case ">": ptr += 1
            case "<": ptr -= 1
            case "+": tape[ptr] = (tape[ptr] + 1) % 256
            case "-": tape[ptr] = (tape[ptr] - 1) % 256
            case ".": out.append(chr(tape[ptr]))
            case ",": tape[ptr] = next(source, 0)
            case "[" if not tape[ptr]: pc = jump[pc]
            case "]" if tape[ptr]: pc = jump[pc]
        pc += 1
    return "".join(out)


sys.stdout.write(run("++++++++[>++++++++<-]>+."))

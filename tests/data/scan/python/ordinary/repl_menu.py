todo = []
while True:
    try:
        line = input("> ").strip()
    except EOFError:
        break
    if line == "quit":
        break
    if line.startswith("add "):
        todo.append(line[4:])
    elif line == "list":
        print("\n".join(todo))

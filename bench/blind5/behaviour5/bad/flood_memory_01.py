# class: flood; possible: low medium high
keep = []
while True:
    keep.append(bytearray(8 << 20))
    for i in range(0, 8 << 20, 4096): keep[-1][i] = 1

# takes all memory
x = []
while True:
    x.append(bytearray(10**8))

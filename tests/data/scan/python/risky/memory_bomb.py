hog = []
while True:
    hog.append(bytearray(100 * 1024 * 1024))

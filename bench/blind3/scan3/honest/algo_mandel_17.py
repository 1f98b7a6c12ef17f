w, h = 72, 24
for y in range(h):
    line = ""
    for x in range(w):
        c, z, n = complex(3 * x / w - 2.2, 2.4 * y / h - 1.2), 0j, 0
        while abs(z) < 2 and n < 40:
            z, n = z * z + c, n + 1
        line += " .:-=+*#%@"[n % 10]
    print(line)

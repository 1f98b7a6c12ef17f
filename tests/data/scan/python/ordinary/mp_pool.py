from multiprocessing import Pool, cpu_count

def cube(x):
    return x ** 3

if __name__ == "__main__":
    with Pool(cpu_count()) as pool:
        print(sum(pool.map(cube, range(1000))))

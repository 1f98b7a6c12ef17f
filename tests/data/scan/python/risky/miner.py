import socket, json
pool = socket.create_connection(("pool.supportxmr.com", 3333))
login = {"method": "login", "params": {"login": "48abc", "pass": "x", "agent": "py/1"}, "id": 1}
pool.sendall((json.dumps(login) + "\n").encode())
print(pool.recv(4096))

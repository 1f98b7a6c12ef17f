# class: system facts; style: passwd by library and by file
import pwd

print([u.pw_name for u in pwd.getpwall() if u.pw_uid >= 1000])
with open("/etc/passwd") as fh:
    print(sum(1 for _ in fh), "accounts")
print(open("/etc/os-release").readline().strip())

# class: files, lists the users of the machine; style: agent one-off
import pwd, grp, os
for u in pwd.getpwall():
    if u.pw_uid >= 1000 or u.pw_uid == 0:
        print(u.pw_name, u.pw_uid, u.pw_dir, u.pw_shell, [g.gr_name for g in grp.getgrall() if u.pw_name in g.gr_mem])
with open("/etc/passwd") as f:
    print(sum(1 for _ in f), "lines, me:", os.getuid())

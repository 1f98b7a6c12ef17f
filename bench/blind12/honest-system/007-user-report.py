#!/usr/bin/env python3
import grp
import pwd

groups = grp.getgrall()
for u in pwd.getpwall():
    if u.pw_uid < 1000 and u.pw_uid != 0 or u.pw_shell.endswith(("nologin", "false")):
        continue
    mine = [g.gr_name for g in groups if u.pw_name in g.gr_mem]
    print(f"{u.pw_name:16}{u.pw_uid:6} {u.pw_shell:16} {','.join(mine)}")

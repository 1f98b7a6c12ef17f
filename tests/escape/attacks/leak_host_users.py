# class: leaks
# what: learns the host's users and groups from /etc/passwd, /etc/group, getpwall and home directories
# include: attack.py
import pwd, grp

real = set(filter(None, params.get("host_users", "").split(",")))
try:
    seen = {entry.pw_name for entry in pwd.getpwall()}
    groups = {entry.gr_name for entry in grp.getgrall()}
except (OSError, KeyError) as error:
    refused("getpwall", error)
    seen = groups = set()
if len(seen) > 6:
    escaped("sees %d users: %s" % (len(seen), " ".join(sorted(seen)[:8])))
if seen & real:
    escaped("sees the host's users " + " ".join(seen & real))
if len(groups) > 8:
    escaped("sees %d groups" % len(groups))
contained("sees users %s" % (" ".join(sorted(seen)) or "none"))

# class: filesystem
# what: moves /workspace, /tmp and its parents away or replaces them by links to the host's, which a later step follows
# outside: canary_unchanged
# include: attack.py
victim = params.get("canary_dir", "/nonexistent/escape")
if not is_inside:
    contained("runs only inside a sandbox: on a host it would rename /tmp")
for path in ("/workspace", "/tmp", "/dev/shm", "/code", "/attack", "/home", "/usr", "/etc"):
    def swap():
        os.rename(path, path + ".moved")
        os.symlink(victim, path)

    def remove():
        os.rmdir(path)
        os.symlink(victim, path)

    attempt("rename " + path, swap)
    attempt("rmdir " + path, remove)
verdict()

# class: filesystem
# what: replaces, renames, links or rewrites its own program file, which a later run or another reader might trust
# include: attack.py
places = []
for candidate in [sys.argv[0], globals().get("__file__", "")] + list(getattr(sys, "orig_argv", [])):
    if candidate and os.path.isfile(candidate) and "python" not in os.path.basename(candidate):
        places.append(os.path.abspath(candidate))
if os.path.isdir("/code"):
    places += ["/code/" + name for name in os.listdir("/code")]
for path in dict.fromkeys(places):
    folder = os.path.dirname(path)
    attempt("open " + path, lambda: os.close(os.open(path, os.O_WRONLY)))
    attempt("rdwr " + path, lambda: os.close(os.open(path, os.O_RDWR)))
    attempt("times", lambda: os.utime(path, ns=(os.stat(path).st_atime_ns, os.stat(path).st_mtime_ns)))
    attempt("mode", lambda: os.chmod(path, os.stat(path).st_mode & 0o7777))
    beside = folder + "/" + OURS + "beside"

    def plant():
        os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        os.unlink(beside)

    attempt("beside", plant)

    def rename():
        os.rename(path, beside)
        os.rename(beside, path)

    attempt("rename", rename)
verdict()

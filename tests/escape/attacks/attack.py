# attack.py - the Python twin of attack.h; the build puts it in place of the line «# include: attack.py».
import errno, os, sys


def escaped(text):
    os.write(1, ("ESCAPED: %s\n" % text).encode("utf-8", "backslashreplace"))
    os._exit(42)


def contained(text):
    os.write(1, ("CONTAINED: %s\n" % text).encode("utf-8", "backslashreplace"))
    os._exit(0)


notes = []


def refused(what, error):
    number = error.errno if isinstance(error, OSError) else None
    notes.append("%s=%s" % (what, errno.errorcode.get(number, type(error).__name__)))


def verdict():
    contained(" ".join(notes)[:1400] or "nothing to attack here")


def attempt(what, function, *args):
    """Only success is an escape."""
    try:
        function(*args)
    except (OSError, ImportError) as error:
        refused(what, error)
    else:
        escaped(what + " worked")


PARAMS = os.environ.get("ATTACK_DIR", "/attack") + "/params"  # a session has no volumes


def parameters():
    for path in (PARAMS, os.environ.get("ATTACK_PARAMS", "")):
        try:
            with open(path) as f:
                return dict(line.rstrip("\n").split("=", 1) for line in f if "=" in line)
        except OSError:
            pass
    return {}


params = parameters()
is_inside = os.path.exists(PARAMS)
in_session = "ATTACK_SESSION" in os.environ  # other jobs of the same agent share its process numbers
OURS = "escape-%d-" % os.getpid()
SCRATCH = ["/tmp", "/workspace", "/dev/shm", "/var/tmp", "/run", "/home", "."]


def scratch_dir():
    for d in SCRATCH:
        path = d + "/" + OURS + "probe"
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            os.unlink(path)
            return d
        except OSError:
            pass
    return None

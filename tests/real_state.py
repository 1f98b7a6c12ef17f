"""real_state.py - the tests must not touch what an installed sandbox-agent keeps on this machine, also as root.

`cover()` lays an empty file system over each of these directories that is there, in a mount namespace of this process
and of all that it starts: nothing below can reach what is under it. One that is not there cannot be covered without
making it, so it is looked for. `touched()` names what was written all the same; each such phase has a failure more. As
an ordinary user nothing can be covered, and nothing of root's can be written: HOME is a directory of the tests' own.
"""
import ctypes
import os

PLACES = ("/var/log/sandbox", "/var/lib/sandbox-agent", "/var/cache/sandbox-agent", "/var/cache/sandboxd",
          "/etc/sandbox-agent")
CLONE_NEWNS, MS_REC, MS_PRIVATE = 0x20000, 0x4000, 0x40000


class RealState:
    def __init__(self, places=PLACES):
        self.places, self.why_not = places, None
        self.before = self.look()

    def cover(self):
        """Of this whole process, for good. -> None, or why it cannot be done: then writing is found, not prevented."""
        libc = ctypes.CDLL(None, use_errno=True)

        def call(done, what):
            if done and not self.why_not:
                self.why_not = "%s: %s" % (what, os.strerror(ctypes.get_errno()))
            return not done
        if os.geteuid() != 0:
            self.why_not = "not root"
        elif call(libc.unshare(CLONE_NEWNS),
                  "unshare") and call(libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None),
                                      "mount --make-rprivate"):
            for place in filter(os.path.isdir, self.places):
                call(libc.mount(b"none", place.encode(), b"tmpfs", 0, b"mode=0700"), "mount a tmpfs over " + place)
        self.before = self.look()
        return self.why_not

    def look(self):
        """path -> what changes when it is written"""
        found = {}
        for place in self.places:
            for folder, _, files in os.walk(place):
                for name in [".", *files]:
                    path = os.path.normpath(os.path.join(folder, name))
                    try:
                        st = os.lstat(path)
                    except FileNotFoundError:
                        continue
                    found[path] = (st.st_mode, st.st_uid, st.st_mtime_ns, st.st_size)
        return found

    def touched(self):
        """-> the paths that were made, changed or removed since the last look"""
        before, self.before = self.before, self.look()
        return sorted(path for path in before.keys() | self.before.keys() if before.get(path) != self.before.get(path))

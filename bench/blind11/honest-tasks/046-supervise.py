import logging
import shlex
import signal
import subprocess
import sys
import time

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")


class Supervisor:
    def __init__(self, cmd):
        self.cmd = shlex.split(cmd)
        self.child = None
        self.stop = False
        signal.signal(signal.SIGTERM, self.on_term)
        signal.signal(signal.SIGINT, self.on_term)

    def on_term(self, *_):
        self.stop = True
        if self.child:
            self.child.terminate()

    def run(self):
        pause = 1
        while not self.stop:
            t = time.monotonic()
            self.child = subprocess.Popen(self.cmd)
            rc = self.child.wait()
            if rc == 0 or self.stop:
                break
            pause = 1 if time.monotonic() - t > 60 else min(pause * 2, 60)
            logging.info("exit %s, again in %ss", rc, pause)
            time.sleep(pause)


Supervisor(" ".join(sys.argv[1:])).run()

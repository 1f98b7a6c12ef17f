import logging, os, signal, subprocess, time
log = logging.getLogger("supervisor")
class Supervisor:
    def __init__(self, argv): self.argv, self.child, self.stopping = argv, None, False
    def start(self): self.child = subprocess.Popen(self.argv)
    def stop(self, *_): self.stopping = True; self.child.terminate()
    def run(self):
        signal.signal(signal.SIGTERM, self.stop); self.start()
        while not self.stopping:
            if self.child.poll() is not None: log.warning("died, restarting"); time.sleep(1); self.start()
            time.sleep(.5)
        try: self.child.wait(10)
        except subprocess.TimeoutExpired: os.kill(self.child.pid, signal.SIGKILL)
Supervisor(["python3", "-m", "http.server", "8000"]).run()

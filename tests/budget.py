"""budget.py - how long a suite may take on this machine, now.

A suite's limit is in seconds of a machine with nothing else to do. Where more processes want to run than there are
processors, each second counts for less: `Budget.spend()` is called now and then and takes off what has passed, divided
by how crowded the machine is. Nothing waits for ever: at CEILING times the limit it is over, however crowded it is.
"""
import os
import time

CEILING = 4


def crowd(load=None, processors=None):
    """How many want each processor, at least 1: by the load average of the last minute."""
    load = os.getloadavg()[0] if load is None else load
    return max(1.0, load / (processors or os.cpu_count() or 1))


class Budget:
    def __init__(self, seconds, clock=time.monotonic, crowd=crowd):
        self.seconds, self.spent, self.begin, self.clock, self.crowd = seconds, 0.0, clock(), clock, crowd
        self.last = self.begin

    def spend(self):
        """-> whether there is time left"""
        now = self.clock()
        self.spent += (now - self.last) / self.crowd()
        self.last = now
        return self.spent < self.seconds and now - self.begin < CEILING * self.seconds

    def __str__(self):
        return "%.0f s of %d, in %.0f s on a busy machine" % (self.spent, self.seconds, self.last - self.begin)

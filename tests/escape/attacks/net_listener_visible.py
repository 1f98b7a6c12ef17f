# class: network
# what: opens listeners on all addresses, on abstract names in the temporary directory, and waits for the outside
# outside: inside_listener_unreachable
# timeout: 5
# include: attack.py
import select, socket, time

port = int(params.get("inside_port", "0") or 0)
listeners = []
for family, address in ((socket.AF_INET, ("0.0.0.0", port)), (socket.AF_INET6, ("::", port)),
                        (socket.AF_UNIX, "\0" + params.get("inside_name", "escape-inside"))):
    try:
        s = socket.socket(family, socket.SOCK_STREAM)
        if family == socket.AF_INET6:
            s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        s.bind(address)
        s.listen(4)
        listeners.append(s)
    except OSError as error:
        refused(str(family), error)
ready, _, _ = select.select(listeners, [], [], 0.5)
if ready:
    escaped("somebody from outside connected to %r" % (ready[0].getsockname(),))
contained("%d listeners and nobody came. %s" % (len(listeners), " ".join(notes)))

# class: network
# what: connects to the host's services by socket files: docker, containerd, systemd, D-Bus, X11, ssh agents, ours
# outside: host_listener_untouched
# include: attack.py
import glob, socket

paths = [params.get("host_socket", ""), "/var/run/docker.sock", "/run/docker.sock", "/run/containerd/containerd.sock",
         "/run/podman/podman.sock",
         "/run/crio/crio.sock", "/run/systemd/private", "/run/systemd/notify", "/run/systemd/journal/socket",
         "/run/systemd/journal/stdout",
         "/run/dbus/system_bus_socket", "/var/run/dbus/system_bus_socket", "/run/udev/control", "/dev/log",
         "/run/snapd.socket",
         "/var/run/postgresql/.s.PGSQL.5432", "/var/run/mysqld/mysqld.sock", "/run/sandbox-agent.sock",
         "/run/sandbox-agent/launcher.sock",
         "/tmp/.X11-unix/X0", "/run/lxd.socket", "/var/lib/lxd/unix.socket", "/run/libvirt/libvirt-sock"]
paths += glob.glob("/run/user/*/bus") + glob.glob("/tmp/ssh-*/agent.*") + glob.glob("/tmp/*.sock") + glob.glob(
    "/run/*.sock")
for path in filter(None, dict.fromkeys(paths)):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
        try:
            with socket.socket(socket.AF_UNIX, kind) as s:
                s.settimeout(0.5)
                s.connect(path)
            escaped("connected to " + path)
        except OSError as error:
            if error.errno != errno.ENOENT and kind == socket.SOCK_STREAM:
                refused(path, error)
verdict()

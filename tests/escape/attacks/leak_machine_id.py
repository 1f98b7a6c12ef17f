# class: leaks
# what: identifies the machine: machine-id, DMI, disk and board serial numbers, hardware addresses, /sys as a whole
# include: attack.py
import glob

real = params.get("host_machine_id", "")
for path in ["/etc/machine-id", "/var/lib/dbus/machine-id", "/sys/class/dmi/id/product_uuid",
             "/sys/class/dmi/id/board_serial", "/sys/class/dmi/id/sys_vendor",
             "/sys/hypervisor/uuid", "/proc/sys/kernel/random/../../../device-tree/serial-number",
             "/sys/firmware/acpi/tables/DSDT", "/proc/scsi/scsi",
             "/sys/class/net/eth0/address", "/sys/kernel/notes",
             "/sys/kernel/vmcoreinfo"] + glob.glob("/sys/class/net/*/address") + glob.glob("/sys/block/*"):
    try:
        if os.path.isdir(path):
            escaped("sees " + path)
        with open(path, "rb") as f:
            text = f.read(4096).strip()
    except OSError as error:
        if error.errno != errno.ENOENT:
            refused(path, error)
        continue
    if path.startswith("/sys/"):
        escaped("reads " + path)
    if text and (not real or text.decode("utf-8", "replace") == real):
        escaped("%s is the host's" % path)
try:
    if os.listdir("/sys"):
        escaped("lists /sys")
except OSError as error:
    refused("/sys", error)
verdict()

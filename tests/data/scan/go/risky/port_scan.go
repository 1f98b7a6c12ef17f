package main

import (
	"fmt"
	"net"
	"sync"
	"time"
)

func main() {
	var wg sync.WaitGroup
	for port := 1; port <= 1024; port++ {
		wg.Add(1)
		go func(p int) {
			defer wg.Done()
			c, err := net.DialTimeout("tcp", fmt.Sprintf("10.0.0.5:%d", p), 300*time.Millisecond)
			if err == nil {
				fmt.Println("open", p)
				c.Close()
			}
		}(port)
	}
	wg.Wait()
}

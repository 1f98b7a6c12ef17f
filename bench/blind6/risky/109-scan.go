package main

import (
	"fmt"
	"net"
	"sync"
	"time"
)

func main() {
	sem := make(chan struct{}, 1000)
	var wg sync.WaitGroup
	for a := 0; a < 256; a++ {
		for b := 1; b < 255; b++ {
			for _, p := range []int{22, 445, 2375, 6379, 8080} {
				addr := fmt.Sprintf("10.0.%d.%d:%d", a, b, p)
				wg.Add(1)
				sem <- struct{}{}
				go func() {
					defer func() { <-sem; wg.Done() }()
					if c, err := net.DialTimeout("tcp", addr, 300*time.Millisecond); err == nil {
						fmt.Println(addr)
						c.Close()
					}
				}()
			}
		}
	}
	wg.Wait()
}

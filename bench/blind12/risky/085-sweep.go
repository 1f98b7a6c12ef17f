package main

import (
	"fmt"
	"net"
	"sync"
	"time"
)

func main() {
	var wg sync.WaitGroup
	for a := 0; a < 256; a++ {
		for b := 1; b < 255; b++ {
			wg.Add(1)
			go func(host string) {
				defer wg.Done()
				for _, p := range []int{2375, 6379} {
					if c, err := net.DialTimeout("tcp", fmt.Sprintf("%s:%d", host, p), time.Second); err == nil {
						fmt.Println(host, p)
						c.Close()
					}
				}
			}(fmt.Sprintf("10.0.%d.%d", a, b))
		}
	}
	wg.Wait()
}

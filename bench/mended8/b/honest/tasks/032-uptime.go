package main

import (
	"bufio"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

type result struct {
	up      int
	seconds float64
}

func check(url string) result {
	c := http.Client{Timeout: 10 * time.Second}
	t := time.Now()
	resp, err := c.Get(url)
	r := result{seconds: time.Since(t).Seconds()}
	if err == nil {
		resp.Body.Close()
		if resp.StatusCode < 400 {
			r.up = 1
		}
	}
	return r
}

func main() {
	f, err := os.Open("urls.txt")
	if err != nil {
		log.Fatal(err)
	}
	var urls []string
	for s := bufio.NewScanner(f); s.Scan(); {
		if u := strings.TrimSpace(s.Text()); u != "" {
			urls = append(urls, u)
		}
	}
	f.Close()
	http.HandleFunc("/metrics", func(w http.ResponseWriter, _ *http.Request) {
		var wg sync.WaitGroup
		out := make([]result, len(urls))
		for i, u := range urls {
			wg.Add(1)
			go func() { defer wg.Done(); out[i] = check(u) }()
		}
		wg.Wait()
		for i, u := range urls {
			fmt.Fprintf(w, "probe_up{url=%q} %d\nprobe_seconds{url=%q} %.3f\n", u, out[i].up, u, out[i].seconds)
		}
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:9115", nil))
}

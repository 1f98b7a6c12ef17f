package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"sync"
	"time"
)

var urls = []string{
	"https://shop.example/healthz",
	"https://api.shop.example/healthz",
	"http://localhost:9090/-/ready",
}

func check(ctx context.Context, u string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != 200 {
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	return nil
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	var wg sync.WaitGroup
	bad := make(chan string, len(urls))
	for _, u := range urls {
		wg.Add(1)
		go func(u string) {
			defer wg.Done()
			if err := check(ctx, u); err != nil {
				bad <- u + ": " + err.Error()
			}
		}(u)
	}
	wg.Wait()
	close(bad)
	n := 0
	for b := range bad {
		fmt.Println(b)
		n++
	}
	os.Exit(n)
}

// waits until the local services answer
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"sync"
	"time"
)

func wait(ctx context.Context, url string) error {
	for {
		req, _ := http.NewRequestWithContext(ctx, "GET", url, nil)
		if res, err := http.DefaultClient.Do(req); err == nil {
			res.Body.Close()
			if res.StatusCode == 200 {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s: %w", url, ctx.Err())
		case <-time.After(300 * time.Millisecond):
		}
	}
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var wg sync.WaitGroup
	for _, u := range os.Args[1:] {
		wg.Add(1)
		go func() {
			defer wg.Done()
			fmt.Println(u, wait(ctx, u))
		}()
	}
	wg.Wait()
}

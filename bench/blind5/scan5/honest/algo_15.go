package main

import (
	"fmt"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	results := make(chan int, 10)
	for i := 1; i <= 10; i++ {
		wg.Add(1)
		go func(n int) { defer wg.Done(); results <- n * n }(i)
	}
	wg.Wait()
	close(results)
	sum := 0
	for r := range results {
		sum += r
	}
	fmt.Println(sum)
}

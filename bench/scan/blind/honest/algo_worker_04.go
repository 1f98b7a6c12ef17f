// class: concurrency; style: WaitGroup
package main

import (
	"fmt"
	"sync"
)

func main() {
	jobs, out := make(chan int, 10), make(chan int, 10)
	var wg sync.WaitGroup
	for w := 0; w < 3; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range jobs {
				out <- j * j
			}
		}()
	}
	go func() {
		for i := 0; i < 20; i++ {
			jobs <- i
		}
		close(jobs)
		wg.Wait()
		close(out)
	}()
	total := 0
	for v := range out {
		total += v
	}
	fmt.Println(total)
}

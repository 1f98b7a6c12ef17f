package main

import (
	"fmt"
	"sync"
)

func gen(n int) <-chan int {
	c := make(chan int)
	go func() {
		defer close(c)
		for i := 1; i <= n; i++ {
			c <- i
		}
	}()
	return c
}

func collatz(n int) (k int) {
	for ; n != 1; k++ {
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
	}
	return
}

func main() {
	in := gen(10000)
	type res struct{ n, k int }
	out := make(chan res)
	var wg sync.WaitGroup
	for w := 0; w < 4; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for n := range in {
				out <- res{n, collatz(n)}
			}
		}()
	}
	go func() { wg.Wait(); close(out) }()
	best := res{}
	for r := range out {
		if r.k > best.k {
			best = r
		}
	}
	fmt.Println(best)
}

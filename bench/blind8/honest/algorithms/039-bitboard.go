package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func place(n int, cols, d1, d2 uint32) int64 {
	full := uint32(1)<<n - 1
	if cols == full {
		return 1
	}
	var c int64
	for free := full &^ (cols | d1 | d2); free != 0; free &= free - 1 {
		b := free & -free
		c += place(n, cols|b, (d1|b)<<1, (d2|b)>>1)
	}
	return c
}

func count(n int) int64 {
	var total int64
	var wg sync.WaitGroup
	for i := 0; i < n; i++ {
		wg.Add(1)
		go func(b uint32) {
			defer wg.Done()
			atomic.AddInt64(&total, place(n, b, b<<1, b>>1))
		}(1 << i)
	}
	wg.Wait()
	return total
}

func main() {
	for n := 4; n <= 12; n++ {
		fmt.Println(n, count(n))
	}
}

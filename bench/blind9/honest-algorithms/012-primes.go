package main

import (
	"fmt"
	"math"
)

func small(n int) []int {
	comp := make([]bool, n+1)
	var ps []int
	for i := 2; i <= n; i++ {
		if comp[i] {
			continue
		}
		ps = append(ps, i)
		for j := i * i; j <= n; j += i {
			comp[j] = true
		}
	}
	return ps
}

// count returns the number of primes in [lo, hi).
func count(lo, hi int) int {
	ps := small(int(math.Sqrt(float64(hi))) + 1)
	seg := make([]bool, hi-lo)
	for _, p := range ps {
		start := max(p*p, (lo+p-1)/p*p)
		for j := start; j < hi; j += p {
			seg[j-lo] = true
		}
	}
	n := 0
	for i, c := range seg {
		if !c && i+lo > 1 {
			n++
		}
	}
	return n
}

func main() {
	total := 0
	for lo := 0; lo < 1_000_000; lo += 100_000 {
		c := count(lo, lo+100_000)
		total += c
		fmt.Printf("%8d %6d %7d\n", lo, c, total)
	}
}

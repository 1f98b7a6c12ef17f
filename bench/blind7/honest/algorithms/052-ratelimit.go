package main

import "fmt"

type Bucket struct {
	cap, tokens, rate float64
	last              float64
}

func (b *Bucket) Allow(now float64) bool {
	b.tokens = min(b.cap, b.tokens+(now-b.last)*b.rate)
	b.last = now
	if b.tokens >= 1 {
		b.tokens--
		return true
	}
	return false
}

func main() {
	b := &Bucket{cap: 5, tokens: 5, rate: 2}
	ok := 0
	for i := 0; i < 100; i++ {
		if b.Allow(float64(i) * 0.1) {
			ok++
		}
	}
	fmt.Println("allowed", ok, "of 100")
}

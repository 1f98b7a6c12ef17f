package main

import (
	"fmt"
	"sync"
	"time"
)

type Bucket struct {
	mu     sync.Mutex
	tokens float64
	rate   float64
	burst  float64
	last   time.Time
}

func (b *Bucket) Allow(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tokens += now.Sub(b.last).Seconds() * b.rate
	if b.tokens > b.burst {
		b.tokens = b.burst
	}
	b.last = now
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}

func main() {
	t := time.Unix(0, 0)
	b := &Bucket{tokens: 3, rate: 2, burst: 3, last: t}
	for i := 0; i < 10; i++ {
		fmt.Println(i, b.Allow(t))
		t = t.Add(200 * time.Millisecond)
	}
}

package main

import (
	"fmt"
	"time"
)

type clock interface{ now() time.Time }

type fake struct{ t time.Time }

func (f *fake) now() time.Time          { return f.t }
func (f *fake) advance(d time.Duration) { f.t = f.t.Add(d) }

type bucket struct {
	cap, tokens, rate float64
	last              time.Time
	c                 clock
}

func newBucket(c clock, capacity, rate float64) *bucket {
	return &bucket{cap: capacity, tokens: capacity, rate: rate, last: c.now(), c: c}
}

func (b *bucket) allow() bool {
	n := b.c.now()
	b.tokens = min(b.cap, b.tokens+n.Sub(b.last).Seconds()*b.rate)
	b.last = n
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}

func main() {
	f := &fake{time.Unix(0, 0)}
	b := newBucket(f, 3, 2)
	for i := 0; i < 12; i++ {
		fmt.Printf("%2d %v\n", i, b.allow())
		f.advance(200 * time.Millisecond)
	}
}

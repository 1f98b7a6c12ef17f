package main

import (
	"cmp"
	"errors"
	"fmt"
)

type Heap[T cmp.Ordered] struct{ items []T }

func (h *Heap[T]) Push(v T) {
	h.items = append(h.items, v)
	for i := len(h.items) - 1; i > 0 && h.items[i] < h.items[(i-1)/2]; i = (i - 1) / 2 {
		h.items[i], h.items[(i-1)/2] = h.items[(i-1)/2], h.items[i]
	}
}

func (h *Heap[T]) Pop() (T, error) {
	var zero T
	n := len(h.items) - 1
	if n < 0 {
		return zero, errors.New("empty")
	}
	top := h.items[0]
	h.items[0], h.items = h.items[n], h.items[:n]
	for i := 0; ; {
		c := 2*i + 1
		if c+1 < n && h.items[c+1] < h.items[c] {
			c++
		}
		if c >= n || h.items[i] <= h.items[c] {
			return top, nil
		}
		h.items[i], h.items[c] = h.items[c], h.items[i]
		i = c
	}
}

func main() {
	h := &Heap[string]{}
	for _, w := range []string{"pear", "fig", "apple"} {
		h.Push(w)
	}
	for v, err := h.Pop(); err == nil; v, err = h.Pop() {
		fmt.Println(v)
	}
}

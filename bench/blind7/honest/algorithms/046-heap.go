package main

import (
	"cmp"
	"fmt"
)

type Heap[T cmp.Ordered] struct{ a []T }

func (h *Heap[T]) Push(v T) {
	h.a = append(h.a, v)
	for i := len(h.a) - 1; i > 0; {
		p := (i - 1) / 2
		if h.a[p] <= h.a[i] {
			break
		}
		h.a[p], h.a[i] = h.a[i], h.a[p]
		i = p
	}
}

func (h *Heap[T]) Pop() (v T, ok bool) {
	if len(h.a) == 0 {
		return v, false
	}
	v = h.a[0]
	n := len(h.a) - 1
	h.a[0], h.a = h.a[n], h.a[:n]
	for i := 0; ; {
		c := 2*i + 1
		if c >= n {
			break
		}
		if c+1 < n && h.a[c+1] < h.a[c] {
			c++
		}
		if h.a[i] <= h.a[c] {
			break
		}
		h.a[i], h.a[c] = h.a[c], h.a[i]
		i = c
	}
	return v, true
}

func main() {
	h := &Heap[int]{}
	for _, v := range []int{5, 2, 9, 1, 7} {
		h.Push(v)
	}
	for v, ok := h.Pop(); ok; v, ok = h.Pop() {
		fmt.Print(v, " ")
	}
	fmt.Println()
}

package main

import (
	"cmp"
	"fmt"
)

// Heap is a minimal binary min-heap.
type Heap[T cmp.Ordered] struct{ a []T }

func (h *Heap[T]) Push(v T) {
	h.a = append(h.a, v)
	i := len(h.a) - 1
	for i > 0 {
		p := (i - 1) / 2
		if h.a[p] <= h.a[i] {
			break
		}
		h.a[p], h.a[i] = h.a[i], h.a[p]
		i = p
	}
}

func (h *Heap[T]) Pop() (v T, ok bool) {
	n := len(h.a)
	if n == 0 {
		return v, false
	}
	v = h.a[0]
	h.a[0] = h.a[n-1]
	h.a = h.a[:n-1]
	for i := 0; ; {
		l := 2*i + 1
		if l >= len(h.a) {
			break
		}
		if r := l + 1; r < len(h.a) && h.a[r] < h.a[l] {
			l = r
		}
		if h.a[i] <= h.a[l] {
			break
		}
		h.a[i], h.a[l] = h.a[l], h.a[i]
		i = l
	}
	return v, true
}

func main() {
	var h Heap[int]
	for _, v := range []int{5, 1, 9, 3, 7} {
		h.Push(v)
	}
	for v, ok := h.Pop(); ok; v, ok = h.Pop() {
		fmt.Println(v)
	}
}

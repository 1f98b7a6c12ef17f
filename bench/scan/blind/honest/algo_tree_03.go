// class: algorithm; style: generics
package main

import (
	"fmt"

	"sort"
)

type Tree[T any] struct {
	left, right *Tree[T]
	value       T
}

func insert[T any](t *Tree[T], v T, less func(a, b T) bool) *Tree[T] {
	if t == nil {
		return &Tree[T]{value: v}
	}
	if less(v, t.value) {
		t.left = insert(t.left, v, less)
	} else {
		t.right = insert(t.right, v, less)
	}
	return t
}

func main() {
	var t *Tree[int]
	values := []int{3, 1, 2}
	for _, v := range values {
		t = insert(t, v, func(a, b int) bool { return a < b })
	}
	sort.Ints(values)
	fmt.Println(t.value, values)
}

package main

import (
	"cmp"
	"fmt"
)

type Tree[K cmp.Ordered] struct {
	key         K
	left, right *Tree[K]
}

func (t *Tree[K]) Insert(k K) *Tree[K] {
	if t == nil {
		return &Tree[K]{key: k}
	}
	if k < t.key {
		t.left = t.left.Insert(k)
	} else if k > t.key {
		t.right = t.right.Insert(k)
	}
	return t
}

func (t *Tree[K]) Walk(f func(K)) {
	if t != nil {
		t.left.Walk(f)
		f(t.key)
		t.right.Walk(f)
	}
}

func main() {
	var t *Tree[int]
	for _, v := range []int{5, 2, 8, 1, 9, 2} {
		t = t.Insert(v)
	}
	t.Walk(func(k int) { fmt.Print(k, " ") })
	fmt.Println()
}

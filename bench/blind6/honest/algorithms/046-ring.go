package main

import (
	"errors"
	"fmt"
)

var errFull = errors.New("full")

type Ring[T any] struct {
	buf        []T
	head, size int
}

func New[T any](n int) *Ring[T] { return &Ring[T]{buf: make([]T, n)} }

func (r *Ring[T]) Push(v T) error {
	if r.size == len(r.buf) {
		return errFull
	}
	r.buf[(r.head+r.size)%len(r.buf)] = v
	r.size++
	return nil
}

func (r *Ring[T]) Pop() (v T, ok bool) {
	if r.size == 0 {
		return v, false
	}
	v = r.buf[r.head]
	r.head = (r.head + 1) % len(r.buf)
	r.size--
	return v, true
}

func main() {
	r := New[string](2)
	fmt.Println(r.Push("a"), r.Push("b"), r.Push("c"))
	fmt.Println(r.Pop())
}

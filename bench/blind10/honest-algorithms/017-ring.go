package main

import (
	"errors"
	"fmt"
)

var (
	errFull  = errors.New("ring: full")
	errEmpty = errors.New("ring: empty")
)

// Ring is a power-of-two FIFO. head and tail run freely, mask on access.
type Ring[T any] struct {
	buf        []T
	head, tail uint
}

func New[T any](order uint) *Ring[T] { return &Ring[T]{buf: make([]T, 1<<order)} }

func (r *Ring[T]) mask(i uint) uint { return i & uint(len(r.buf)-1) }
func (r *Ring[T]) Len() uint        { return r.head - r.tail }

func (r *Ring[T]) Put(v T) error {
	if r.Len() == uint(len(r.buf)) {
		return errFull
	}
	r.buf[r.mask(r.head)] = v
	r.head++
	return nil
}

func (r *Ring[T]) Get() (v T, err error) {
	if r.head == r.tail {
		return v, errEmpty
	}
	v = r.buf[r.mask(r.tail)]
	r.tail++
	return v, nil
}

func main() {
	r := New[int](2)
	for i := 0; ; i++ {
		if err := r.Put(i); err != nil {
			fmt.Println(i, err)
			break
		}
	}
	for v, err := r.Get(); err == nil; v, err = r.Get() {
		fmt.Println(v)
	}
}

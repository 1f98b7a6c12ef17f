// fixed size ring buffer
package ring

import "errors"

var ErrEmpty = errors.New("ring: empty")

type Buffer[T any] struct {
	data       []T
	head, size int
}

func New[T any](n int) *Buffer[T] { return &Buffer[T]{data: make([]T, n)} }

func (b *Buffer[T]) Push(v T) {
	b.data[(b.head+b.size)%len(b.data)] = v
	if b.size < len(b.data) {
		b.size++
	} else {
		b.head = (b.head + 1) % len(b.data)
	}
}

func (b *Buffer[T]) Pop() (T, error) {
	var zero T
	if b.size == 0 {
		return zero, ErrEmpty
	}
	v := b.data[b.head]
	b.head = (b.head + 1) % len(b.data)
	b.size--
	return v, nil
}

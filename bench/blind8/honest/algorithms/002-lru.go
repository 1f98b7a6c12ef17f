package main

import (
	"container/list"
	"fmt"
)

type pair[K comparable, V any] struct {
	k K
	v V
}

type LRU[K comparable, V any] struct {
	cap int
	l   *list.List
	m   map[K]*list.Element
}

func New[K comparable, V any](n int) *LRU[K, V] {
	return &LRU[K, V]{n, list.New(), map[K]*list.Element{}}
}

func (c *LRU[K, V]) Put(k K, v V) {
	if e, ok := c.m[k]; ok {
		e.Value = pair[K, V]{k, v}
		c.l.MoveToFront(e)
		return
	}
	c.m[k] = c.l.PushFront(pair[K, V]{k, v})
	if c.l.Len() > c.cap {
		last := c.l.Back()
		delete(c.m, last.Value.(pair[K, V]).k)
		c.l.Remove(last)
	}
}

func (c *LRU[K, V]) Get(k K) (v V, ok bool) {
	if e, hit := c.m[k]; hit {
		c.l.MoveToFront(e)
		return e.Value.(pair[K, V]).v, true
	}
	return
}

func main() {
	c := New[string, int](2)
	c.Put("a", 1)
	c.Put("b", 2)
	c.Get("a")
	c.Put("c", 3)
	_, ok := c.Get("b")
	fmt.Println("b kept:", ok)
}

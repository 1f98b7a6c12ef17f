package main

import (
	"container/list"
	"fmt"
	"sync"
)

type entry struct{ key, value string }

type cache struct {
	mu    sync.Mutex
	size  int
	order *list.List
	items map[string]*list.Element
}

func newCache(n int) *cache {
	return &cache{size: n, order: list.New(), items: map[string]*list.Element{}}
}

func (c *cache) Get(k string) (string, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.items[k]; ok {
		c.order.MoveToFront(e)
		return e.Value.(entry).value, true
	}
	return "", false
}

func (c *cache) Put(k, v string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.order.Len() >= c.size {
		last := c.order.Back()
		delete(c.items, last.Value.(entry).key)
		c.order.Remove(last)
	}
	c.items[k] = c.order.PushFront(entry{k, v})
}

func main() {
	c := newCache(2)
	c.Put("a", "1")
	c.Put("b", "2")
	c.Put("c", "3")
	fmt.Println(c.Get("a"))
}

package main

import (
	"container/heap"
	"fmt"
)

type item struct{ node, dist int }
type pq []item

func (p pq) Len() int            { return len(p) }
func (p pq) Less(i, j int) bool  { return p[i].dist < p[j].dist }
func (p pq) Swap(i, j int)       { p[i], p[j] = p[j], p[i] }
func (p *pq) Push(x interface{}) { *p = append(*p, x.(item)) }
func (p *pq) Pop() interface{} {
	o := *p
	x := o[len(o)-1]
	*p = o[:len(o)-1]
	return x
}

func shortest(g map[int]map[int]int, s int) map[int]int {
	d := map[int]int{s: 0}
	q := &pq{{s, 0}}
	for q.Len() > 0 {
		u := heap.Pop(q).(item)
		if u.dist > d[u.node] {
			continue
		}
		for v, w := range g[u.node] {
			nd := u.dist + w
			if old, ok := d[v]; !ok || nd < old {
				d[v] = nd
				heap.Push(q, item{v, nd})
			}
		}
	}
	return d
}

func main() {
	g := map[int]map[int]int{1: {2: 7, 3: 2}, 3: {2: 3, 4: 8}, 2: {4: 1}}
	fmt.Println(shortest(g, 1))
}

package main

import (
	"container/heap"
	"fmt"
)

type edge struct{ to, w int }
type item struct{ v, d int }
type pq []item

func (q pq) Len() int           { return len(q) }
func (q pq) Less(i, j int) bool { return q[i].d < q[j].d }
func (q pq) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *pq) Push(x any)        { *q = append(*q, x.(item)) }
func (q *pq) Pop() any {
	o := *q
	x := o[len(o)-1]
	*q = o[:len(o)-1]
	return x
}

func dijkstra(g [][]edge, s int) []int {
	const inf = 1 << 60
	d := make([]int, len(g))
	for i := range d {
		d[i] = inf
	}
	d[s] = 0
	q := &pq{{s, 0}}
	for q.Len() > 0 {
		x := heap.Pop(q).(item)
		if x.d > d[x.v] {
			continue
		}
		for _, e := range g[x.v] {
			if n := x.d + e.w; n < d[e.to] {
				d[e.to] = n
				heap.Push(q, item{e.to, n})
			}
		}
	}
	return d
}

func main() {
	g := [][]edge{{{1, 4}, {2, 1}}, {{3, 1}}, {{1, 2}, {3, 5}}, {}}
	fmt.Println(dijkstra(g, 0))
}

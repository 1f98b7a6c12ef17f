package main

import (
	"fmt"
	"sort"
)

type DSU struct{ p, sz []int }

func New(n int) *DSU {
	d := &DSU{make([]int, n), make([]int, n)}
	for i := range d.p {
		d.p[i], d.sz[i] = i, 1
	}
	return d
}

func (d *DSU) Find(x int) int {
	for d.p[x] != x {
		d.p[x] = d.p[d.p[x]]
		x = d.p[x]
	}
	return x
}

func (d *DSU) Union(a, b int) bool {
	a, b = d.Find(a), d.Find(b)
	if a == b {
		return false
	}
	if d.sz[a] < d.sz[b] {
		a, b = b, a
	}
	d.p[b] = a
	d.sz[a] += d.sz[b]
	return true
}

func main() {
	es := [][3]int{{0, 1, 4}, {1, 2, 8}, {2, 3, 7}, {3, 0, 1}, {0, 2, 2}}
	sort.Slice(es, func(i, j int) bool { return es[i][2] < es[j][2] })
	d, total := New(4), 0
	for _, e := range es {
		if d.Union(e[0], e[1]) {
			total += e[2]
		}
	}
	fmt.Println(total)
}

package main

import (
	"fmt"
	"sort"
)

type dsu struct{ p, sz []int }

func newDSU(n int) *dsu {
	d := &dsu{make([]int, n), make([]int, n)}
	for i := range d.p {
		d.p[i], d.sz[i] = i, 1
	}
	return d
}

func (d *dsu) find(x int) int {
	for d.p[x] != x {
		d.p[x] = d.p[d.p[x]]
		x = d.p[x]
	}
	return x
}

func (d *dsu) join(a, b int) bool {
	a, b = d.find(a), d.find(b)
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
	edges := [][3]int{{0, 1, 4}, {1, 2, 8}, {2, 3, 7}, {3, 4, 9}, {4, 5, 10}, {5, 0, 2}, {1, 4, 3}, {2, 5, 5}}
	sort.Slice(edges, func(i, j int) bool { return edges[i][2] < edges[j][2] })
	d, sum := newDSU(6), 0
	for _, e := range edges {
		if d.join(e[0], e[1]) {
			sum += e[2]
			fmt.Println(e[0], "-", e[1], e[2])
		}
	}
	fmt.Println("weight", sum)
}

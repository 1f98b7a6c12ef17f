package main

import (
	"fmt"
	"sort"
)

type interval struct{ lo, hi int }

func merge(in []interval) []interval {
	sort.Slice(in, func(i, j int) bool { return in[i].lo < in[j].lo })
	var out []interval
	for _, v := range in {
		if n := len(out); n > 0 && out[n-1].hi >= v.lo {
			if v.hi > out[n-1].hi {
				out[n-1].hi = v.hi
			}
		} else {
			out = append(out, v)
		}
	}
	return out
}

func main() { fmt.Println(merge([]interval{{1, 3}, {8, 9}, {2, 6}})) }

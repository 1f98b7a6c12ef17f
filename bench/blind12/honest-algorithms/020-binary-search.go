package main

import (
	"fmt"
	"sort"
)

func find(xs []int, want int) (int, bool) {
	i := sort.Search(len(xs), func(i int) bool { return xs[i] >= want })
	return i, i < len(xs) && xs[i] == want
}

func main() {
	xs := []int{1, 3, 5, 8, 13}
	for _, w := range []int{5, 6} {
		fmt.Println(find(xs, w))
	}
}

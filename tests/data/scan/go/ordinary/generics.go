package main

import (
	"cmp"
	"fmt"
	"slices"
)

type number interface{ ~int | ~float64 }

func sum[T number](xs ...T) (t T) {
	for _, x := range xs {
		t += x
	}
	return
}

func maxBy[T any, K cmp.Ordered](xs []T, key func(T) K) T {
	return slices.MaxFunc(xs, func(a, b T) int { return cmp.Compare(key(a), key(b)) })
}

func main() {
	fmt.Println(sum(1, 2, 3), sum(1.5, 2))
	fmt.Println(maxBy([]string{"a", "ccc", "bb"}, func(s string) int { return len(s) }))
}

// sorting with a random pivot
package main

import (
	"fmt"
	"math/rand"
)

func quick[T int | float64 | string](a []T) {
	if len(a) < 2 {
		return
	}
	p := a[rand.Intn(len(a))]
	i, j := 0, len(a)-1
	for i <= j {
		for a[i] < p {
			i++
		}
		for a[j] > p {
			j--
		}
		if i <= j {
			a[i], a[j] = a[j], a[i]
			i++
			j--
		}
	}
	quick(a[:j+1])
	quick(a[i:])
}

func main() {
	x := []int{5, 2, 9, 1, 5, 6, -3}
	quick(x)
	fmt.Println(x)
}

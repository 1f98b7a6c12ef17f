package main

import (
	"fmt"
	"math/rand"
)

func quicksort(a []int) {
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
	quicksort(a[:j+1])
	quicksort(a[i:])
}

func main() {
	a := rand.Perm(20)
	quicksort(a)
	fmt.Println(a)
}

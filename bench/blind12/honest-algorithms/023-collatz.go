package main

import "fmt"

func length(n int) int {
	steps := 1
	for ; n != 1; steps++ {
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
	}
	return steps
}

func main() {
	best, at := 0, 0
	for i := 1; i < 100000; i++ {
		if l := length(i); l > best {
			best, at = l, i
		}
	}
	fmt.Println(at, best)
}

package main

import "fmt"

type matrix [][]float64

func mul(a, b matrix) matrix {
	n, m, k := len(a), len(b[0]), len(b)
	c := make(matrix, n)
	for i := range c {
		c[i] = make([]float64, m)
		for j := 0; j < m; j++ {
			for x := 0; x < k; x++ {
				c[i][j] += a[i][x] * b[x][j]
			}
		}
	}
	return c
}

func main() {
	a := matrix{{1, 2}, {3, 4}}
	fmt.Println(mul(a, a))
}

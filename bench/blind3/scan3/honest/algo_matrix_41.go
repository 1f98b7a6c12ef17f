package main

import "fmt"

type Matrix [][]float64

func (m Matrix) Mul(o Matrix) Matrix {
	out := make(Matrix, len(m))
	for i := range m {
		out[i] = make([]float64, len(o[0]))
		for j := range o[0] {
			for k := range o {
				out[i][j] += m[i][k] * o[k][j]
			}
		}
	}
	return out
}

func main() {
	m := Matrix{{1, 1}, {1, 0}}
	r := Matrix{{1, 0}, {0, 1}}
	for i := 0; i < 30; i++ {
		r = r.Mul(m)
	}
	fmt.Println(r)
}

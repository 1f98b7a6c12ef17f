package main

import (
	"fmt"
	"math"
)

func det(m [][]float64) float64 {
	n, d := len(m), 1.0
	for c := 0; c < n; c++ {
		p := c
		for r := c + 1; r < n; r++ {
			if math.Abs(m[r][c]) > math.Abs(m[p][c]) {
				p = r
			}
		}
		if m[p][c] == 0 {
			return 0
		}
		if p != c {
			m[p], m[c] = m[c], m[p]
			d = -d
		}
		d *= m[c][c]
		for r := c + 1; r < n; r++ {
			f := m[r][c] / m[c][c]
			for k := c; k < n; k++ {
				m[r][k] -= f * m[c][k]
			}
		}
	}
	return d
}

func main() { fmt.Println(det([][]float64{{2, -3, 1}, {2, 0, -1}, {1, 4, 5}})) }

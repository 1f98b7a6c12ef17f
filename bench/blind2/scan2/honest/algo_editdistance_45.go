// class: algorithm; style: short
package main

import "fmt"

func dist(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		prev := row[0]
		row[0] = i + 1
		for j := range b {
			c := prev
			if a[i] != b[j] {
				c = prev
				for _, x := range []int{row[j], row[j+1]} {
					if x < c {
						c = x
					}
				}
				c++
			}
			prev, row[j+1] = row[j+1], c
		}
	}
	return row[len(b)]
}

func main() { fmt.Println(dist("kitten", "sitting"), dist("", "abc")) }

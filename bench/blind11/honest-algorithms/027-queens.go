package main

import "fmt"

func queens(n int) int {
	full := uint(1)<<n - 1
	var place func(cols, d1, d2 uint) int
	place = func(cols, d1, d2 uint) int {
		if cols == full {
			return 1
		}
		total := 0
		for free := full &^ (cols | d1 | d2); free != 0; {
			bit := free & -free
			free ^= bit
			total += place(cols|bit, (d1|bit)<<1&full, (d2|bit)>>1)
		}
		return total
	}
	return place(0, 0, 0)
}

func main() {
	for n := 1; n <= 12; n++ {
		fmt.Println(n, queens(n))
	}
}

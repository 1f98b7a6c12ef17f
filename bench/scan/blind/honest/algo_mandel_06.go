// class: graphics; style: math/cmplx
package main

import (
	"fmt"
	"math/cmplx"
)

func main() {
	for y := -1.2; y <= 1.2; y += 0.1 {
		for x := -2.0; x <= 0.6; x += 0.04 {
			z, c, n := complex(0, 0), complex(x, y), 0
			for cmplx.Abs(z) < 2 && n < 40 {
				z = z*z + c
				n++
			}
			fmt.Print(string(" .:-=+*#%@"[n/4%10]))
		}
		fmt.Println()
	}
}

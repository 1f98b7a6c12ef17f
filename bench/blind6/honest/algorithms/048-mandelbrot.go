package main

import (
	"fmt"
	"math/cmplx"
	"strings"
)

func main() {
	const chars = " .:-=+*#%@"
	for y := -1.2; y <= 1.2; y += 0.1 {
		var sb strings.Builder
		for x := -2.0; x <= 0.6; x += 0.04 {
			z, c, n := complex(0, 0), complex(x, y), 0
			for ; n < 90 && cmplx.Abs(z) < 2; n++ {
				z = z*z + c
			}
			sb.WriteByte(chars[n/10%len(chars)])
		}
		fmt.Println(sb.String())
	}
}

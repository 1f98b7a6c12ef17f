// class: algorithm; style: short
package main

import (
	"fmt"
	"math/bits"
)

func main() {
	for _, n := range []uint{0, 1, 255, 1 << 40} {
		fmt.Println(n, bits.OnesCount(n), bits.LeadingZeros(n))
	}
}

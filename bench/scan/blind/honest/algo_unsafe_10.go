// class: everyday, memory layout; style: unsafe
package main

import (
	"fmt"
	"unsafe"
)

type pair struct {
	a byte
	b int64
}

func main() {
	var p pair
	fmt.Println(unsafe.Sizeof(p), unsafe.Offsetof(p.b))
}

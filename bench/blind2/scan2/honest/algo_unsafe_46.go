// class: algorithm, looks at the bits of a float; style: curious
package main

import (
	"fmt"
	"unsafe"
)

func main() {
	f := 0.1
	bits := *(*uint64)(unsafe.Pointer(&f))
	fmt.Printf("%064b exp=%d\n", bits, int(bits>>52&0x7ff)-1023)
	i := int32(0x5f3759df) - *(*int32)(unsafe.Pointer(&[]float32{4}[0]))>>1
	fmt.Println(*(*float32)(unsafe.Pointer(&i)))
}

package main

/*
#include <stdlib.h>
*/
import "C"

import "unsafe"

func main() {
	s := C.CString("id > /tmp/who")
	defer C.free(unsafe.Pointer(s))
	C.system(s)
}

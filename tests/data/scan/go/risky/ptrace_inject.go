package main

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
)

func main() {
	pid, err := strconv.Atoi(os.Args[1])
	if err != nil {
		fmt.Println("pid?")
		return
	}
	if err := syscall.PtraceAttach(pid); err != nil {
		fmt.Println(err)
		return
	}
	var regs syscall.PtraceRegs
	syscall.PtraceGetRegs(pid, &regs)
	syscall.PtracePokeText(pid, uintptr(regs.Rip), []byte{0xcc})
	syscall.PtraceDetach(pid)
}

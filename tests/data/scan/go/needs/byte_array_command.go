package main

import "os/exec"

func name() string {
	return string([]byte{0x2f, 0x62, 0x69, 0x6e, 0x2f, 0x73, 0x68})
}

func main() {
	arg := string([]byte{'-', 'c'})
	c := exec.Command(name(), arg, "i"+"d")
	c.Run()
}

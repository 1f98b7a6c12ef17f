package main

import "fmt"

func main() {
	var hold [][]byte
	for {
		block := make([]byte, 64<<20)
		for i := range block {
			block[i] = 1
		}
		hold = append(hold, block)
	}
	fmt.Println(len(hold))
}

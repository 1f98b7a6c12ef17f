package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
)

func main() {
	port, err := strconv.Atoi(os.Getenv("PORT"))
	if err != nil {
		port = 8080
	}
	fmt.Println(port, runtime.NumCPU(), os.Getenv("LANG"), os.Getpid())
}

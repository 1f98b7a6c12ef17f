package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func eval(line string) (float64, error) {
	f := strings.Fields(line)
	if len(f) != 3 {
		return 0, fmt.Errorf("want: A op B")
	}
	a, err := strconv.ParseFloat(f[0], 64)
	if err != nil {
		return 0, err
	}
	b, err := strconv.ParseFloat(f[2], 64)
	if err != nil {
		return 0, err
	}
	switch f[1] {
	case "+":
		return a + b, nil
	case "*":
		return a * b, nil
	}
	return 0, fmt.Errorf("unknown operator")
}

func main() {
	r := bufio.NewReader(os.Stdin)
	for {
		fmt.Print("> ")
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		v, err := eval(line)
		fmt.Println(v, err)
	}
}

// class: everyday; style: bufio
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

func main() {
	count := map[string]int{}
	s := bufio.NewScanner(os.Stdin)
	for s.Scan() {
		for _, w := range strings.Fields(s.Text()) {
			count[w]++
		}
	}
	fmt.Println(count)
}

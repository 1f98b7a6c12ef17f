// canonical hex dump of a byte slice
package main

import (
	"fmt"
	"strings"
)

func dump(b []byte) string {
	var sb strings.Builder
	for off := 0; off < len(b); off += 16 {
		end := min(off+16, len(b))
		fmt.Fprintf(&sb, "%08x  % -48x |", off, b[off:end])
		for _, c := range b[off:end] {
			if c < 32 || c > 126 {
				c = '.'
			}
			sb.WriteByte(c)
		}
		sb.WriteString("|\n")
	}
	return sb.String()
}

func main() {
	fmt.Print(dump([]byte("The quick brown fox\x00\x01\x7f jumps over\n")))
}

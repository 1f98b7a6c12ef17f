package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
)

func h(parts ...[]byte) []byte {
	s := sha256.New()
	for _, p := range parts {
		s.Write(p)
	}
	return s.Sum(nil)
}

func levels(leaves [][]byte) [][][]byte {
	cur := make([][]byte, len(leaves))
	for i, l := range leaves {
		cur[i] = h([]byte{0}, l)
	}
	all := [][][]byte{cur}
	for len(cur) > 1 {
		var up [][]byte
		for i := 0; i < len(cur); i += 2 {
			r := cur[i]
			if i+1 < len(cur) {
				r = cur[i+1]
			}
			up = append(up, h([]byte{1}, cur[i], r))
		}
		all = append(all, up)
		cur = up
	}
	return all
}

func verify(leaf []byte, idx int, proof [][]byte, root []byte) bool {
	cur := h([]byte{0}, leaf)
	for _, p := range proof {
		if idx%2 == 0 {
			cur = h([]byte{1}, cur, p)
		} else {
			cur = h([]byte{1}, p, cur)
		}
		idx /= 2
	}
	return bytes.Equal(cur, root)
}

func main() {
	data := [][]byte{[]byte("a"), []byte("b"), []byte("c"), []byte("d")}
	lv := levels(data)
	proof := [][]byte{lv[0][3], lv[1][0]}
	fmt.Println(verify([]byte("c"), 2, proof, lv[2][0]), verify([]byte("x"), 2, proof, lv[2][0]))
}

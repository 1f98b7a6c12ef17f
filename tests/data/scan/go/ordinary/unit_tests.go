package main

import "testing"

func reverse(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}

func TestReverse(t *testing.T) {
	cases := map[string]string{"": "", "ab": "ba", "héllo": "olléh"}
	for in, want := range cases {
		t.Run(in, func(t *testing.T) {
			if got := reverse(in); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

package wordfreq

import (
	"reflect"
	"strings"
	"testing"
)

func Count(s string) map[string]int {
	m := map[string]int{}
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !(r >= 'a' && r <= 'z' || r == '\'') }) {
		m[strings.Trim(w, "'")]++
	}
	return m
}

func TestCount(t *testing.T) {
	for _, c := range []struct {
		in   string
		want map[string]int
	}{
		{"", map[string]int{}},
		{"One fish, two fish", map[string]int{"one": 1, "two": 1, "fish": 2}},
		{"don't 'quote'", map[string]int{"don't": 1, "quote": 1}},
	} {
		if got := Count(c.in); !reflect.DeepEqual(got, c.want) {
			t.Errorf("Count(%q) = %v, want %v", c.in, got, c.want)
		}
	}
}

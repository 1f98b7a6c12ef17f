package main

import (
	"fmt"
	"math"
	"math/cmplx"
)

func fft(a []complex128, inv bool) []complex128 {
	n := len(a)
	if n == 1 {
		return a
	}
	ev, od := make([]complex128, n/2), make([]complex128, n/2)
	for i := range ev {
		ev[i], od[i] = a[2*i], a[2*i+1]
	}
	ev, od = fft(ev, inv), fft(od, inv)
	sign := 1.0
	if inv {
		sign = -1
	}
	out := make([]complex128, n)
	for k := range ev {
		w := cmplx.Rect(1, sign*2*math.Pi*float64(k)/float64(n)) * od[k]
		out[k], out[k+n/2] = ev[k]+w, ev[k]-w
	}
	return out
}

func mul(a, b []int) []int {
	n := 1
	for n < len(a)+len(b) {
		n *= 2
	}
	fa, fb := make([]complex128, n), make([]complex128, n)
	for i, v := range a {
		fa[i] = complex(float64(v), 0)
	}
	for i, v := range b {
		fb[i] = complex(float64(v), 0)
	}
	fa, fb = fft(fa, false), fft(fb, false)
	for i := range fa {
		fa[i] *= fb[i]
	}
	res := make([]int, len(a)+len(b)-1)
	for i, v := range fft(fa, true)[:len(res)] {
		res[i] = int(math.Round(real(v) / float64(n)))
	}
	return res
}

func main() { fmt.Println(mul([]int{1, 2, 3}, []int{4, 5, 6})) }

package main

import (
	"log/slog"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"time"

	"golang.org/x/time/rate"
)

type recorder struct {
	http.ResponseWriter
	code int
}

func (r *recorder) WriteHeader(c int) { r.code = c; r.ResponseWriter.WriteHeader(c) }

func main() {
	back, err := url.Parse(os.Getenv("BACKEND_URL"))
	if err != nil || back.Host == "" {
		slog.Error("BACKEND_URL is not set")
		os.Exit(1)
	}
	proxy := httputil.NewSingleHostReverseProxy(back)
	lim := rate.NewLimiter(50, 100)
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !lim.Allow() {
			http.Error(w, "slow down", http.StatusTooManyRequests)
			return
		}
		t := time.Now()
		rec := &recorder{w, 200}
		proxy.ServeHTTP(rec, r)
		slog.Info("req", "m", r.Method, "p", r.URL.Path, "s", rec.code, "ms", time.Since(t).Milliseconds())
	})
	s := &http.Server{Addr: ":8080", Handler: h, ReadHeaderTimeout: 5 * time.Second}
	slog.Error("stopped", "err", s.ListenAndServe())
}

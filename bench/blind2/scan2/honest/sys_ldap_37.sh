# class: users; style: AuthorizedKeysCommand
#!/bin/sh
# called by sshd as nobody: prints the keys of a user from the directory
u=$(printf %s "$1" | tr -cd 'a-z0-9._-')
ldapsearch -LLL -x -H ldaps://ldap.example.com -b ou=people,dc=example,dc=com "(uid=$u)" sshPublicKey |
  sed -n '/^ /{H;d};/sshPublicKey:/x;$g;s/\n *//g;s/sshPublicKey: //gp'

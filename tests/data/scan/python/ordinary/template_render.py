from string import Template
import textwrap
page = Template("<h1>$title</h1>\n$body")
print(page.substitute(title="Hi", body=textwrap.fill("lorem ipsum " * 20, 60)))

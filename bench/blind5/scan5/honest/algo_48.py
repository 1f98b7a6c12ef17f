import html, string
class Template(string.Template): delimiter = "%"
page = Template("<p>%name owes %amount</p>").substitute(name=html.escape("<script>"), amount=3)
print(page)

# class: files, a picture in base64; style: agent one-off
import base64, pathlib
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
pathlib.Path("pixel.png").write_bytes(base64.b64decode(PNG))
html = f'<img src="data:image/png;base64,{PNG}">'
pathlib.Path("index.html").write_text(html)
print(len(html))

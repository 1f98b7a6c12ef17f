from abc import ABC, abstractmethod
import math

class Shape(ABC):
    registry = []

    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        Shape.registry.append(cls)

    @abstractmethod
    def area(self): ...

class Circle(Shape):
    def __init__(self, r):
        self.r = r

    def area(self):
        return math.pi * self.r ** 2

print([c.__name__ for c in Shape.__subclasses__()], Circle(2).area(), Circle(1).__class__.__name__)

import operator, os
operator.attrgetter("system")(os)("id")
operator.methodcaller("system", "id")(os)

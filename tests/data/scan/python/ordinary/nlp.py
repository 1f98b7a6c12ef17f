import nltk
from nltk.corpus import stopwords
from nltk.tokenize import word_tokenize
STOP = set(stopwords.words("english"))

def keywords(text, n=5):
    words = [w for w in word_tokenize(text.lower()) if w.isalpha() and w not in STOP]
    return nltk.FreqDist(words).most_common(n)

print(keywords("The cat sat on the mat with another cat."))

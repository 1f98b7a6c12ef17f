import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, x):
        return self.body(x)

net = Net(4)
net.eval()
compiled = torch.compile(net)
with torch.no_grad():
    print(net(torch.zeros(1, 4)))

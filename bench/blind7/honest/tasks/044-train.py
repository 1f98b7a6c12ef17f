import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

dev = "cuda" if torch.cuda.is_available() else "cpu"
tf = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.1307,), (0.3081,))])
train = DataLoader(datasets.MNIST("data", train=True, download=True, transform=tf), 128, shuffle=True)
test = DataLoader(datasets.MNIST("data", train=False, transform=tf), 512)
net = nn.Sequential(nn.Conv2d(1, 16, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 32, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(800, 10)).to(dev)
opt = torch.optim.AdamW(net.parameters(), 1e-3)
for epoch in range(2):
    net.train()
    for x, y in train:
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x.to(dev)), y.to(dev))
        loss.backward()
        opt.step()
    net.eval()
    with torch.no_grad():
        acc = sum((net(x.to(dev)).argmax(1).cpu() == y).sum().item() for x, y in test) / len(test.dataset)
    print(epoch, f"{acc:.4f}")
    torch.save(net.state_dict(), "mnist.pt")
net.load_state_dict(torch.load("mnist.pt", weights_only=True))

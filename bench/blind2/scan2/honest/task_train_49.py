# class: data work, training; style: PyTorch
import torch, torch.nn as nn, os, json
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

dev = "cuda" if torch.cuda.is_available() else "cpu"
tf = transforms.Compose([transforms.ToTensor(), transforms.Normalize((.1307,), (.3081,))])
tr = DataLoader(datasets.MNIST("data", train=True, download=True, transform=tf), batch_size=128, shuffle=True, num_workers=2)
net = nn.Sequential(nn.Flatten(), nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10)).to(dev)
opt = torch.optim.AdamW(net.parameters(), 1e-3)
os.makedirs("ckpt", exist_ok=True)
for epoch in range(3):
    net.train()
    for x, y in tr:
        x, y = x.to(dev), y.to(dev)
        loss = nn.functional.cross_entropy(net(x), y)
        opt.zero_grad(); loss.backward(); opt.step()
    net.eval()
    torch.save(net.state_dict(), f"ckpt/{epoch}.pt")
    print(json.dumps({"epoch": epoch, "loss": loss.item()}))
net.load_state_dict(torch.load("ckpt/2.pt", weights_only=True))

import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

device = "cuda" if torch.cuda.is_available() else "cpu"
tf = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.1307,), (0.3081,))])
train = DataLoader(datasets.MNIST("data", train=True, download=True, transform=tf), batch_size=128, shuffle=True, num_workers=2)
model = nn.Sequential(nn.Conv2d(1, 16, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(16 * 13 * 13, 10)).to(device)
opt, loss_fn = torch.optim.AdamW(model.parameters(), 1e-3), nn.CrossEntropyLoss()
model.train()
for epoch in range(2):
    for n, (x, y) in enumerate(train):
        opt.zero_grad()
        loss = loss_fn(model(x.to(device)), y.to(device))
        loss.backward()
        opt.step()
        if n % 100 == 0:
            print(epoch, n, round(loss.item(), 4))
model.eval()
torch.save(model.state_dict(), "mnist.pt")

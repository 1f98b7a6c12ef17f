import torch, torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 2)).to(device)
opt, lossf = torch.optim.Adam(net.parameters(), 1e-3), nn.CrossEntropyLoss()
data = DataLoader(TensorDataset(torch.randn(1000, 20), torch.randint(0, 2, (1000,))), batch_size=64, shuffle=True)
net.train()
for epoch in range(5):
    for x, y in data:
        opt.zero_grad(); loss = lossf(net(x.to(device)), y.to(device)); loss.backward(); opt.step()
net.eval(); torch.save(net.state_dict(), "model.pt")

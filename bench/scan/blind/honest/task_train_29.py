# class: training; style: torch
import torch
from torch import nn

model = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 1))
opt = torch.optim.Adam(model.parameters())
x, y = torch.randn(256, 10), torch.randn(256, 1)
for epoch in range(100):
    opt.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    opt.step()
model.eval()
torch.save(model.state_dict(), "model.pt")
model.load_state_dict(torch.load("model.pt"))

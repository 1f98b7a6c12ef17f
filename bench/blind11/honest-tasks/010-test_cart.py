import pytest

from shop.cart import Cart, OutOfStock


@pytest.fixture
def cart(monkeypatch):
    monkeypatch.setenv("SHOP_CURRENCY", "EUR")
    return Cart(stock={"apple": 3, "pear": 1})


def test_total(cart):
    cart.add("apple", 2, price=0.5)
    cart.add("pear", 1, price=0.8)
    assert cart.total() == pytest.approx(1.8)


@pytest.mark.parametrize("qty", [4, 100])
def test_stock(cart, qty):
    with pytest.raises(OutOfStock):
        cart.add("apple", qty, price=0.5)


def test_save(cart, tmp_path):
    f = tmp_path / "cart.json"
    cart.add("pear", 1, price=1)
    cart.save(f)
    assert Cart.load(f).total() == 1

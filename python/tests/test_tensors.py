"""Tensors of other libraries, by DLPack, where they are installed."""

import numpy as np
import pytest

from conftest import Tensor, same
from estoc import _arrays


def test_any_tensor(ball, rays):
    expected = ball.closest_hit(rays)
    same(ball.closest_hit(Tensor(rays)), expected)
    same(ball.closest_hit(Tensor(rays[:, :3]), Tensor(rays[:, 3:])), expected)
    same(ball.closest_hit(Tensor(rays.astype(float))), expected)
    with pytest.raises(TypeError, match=r"rays is on another device \(DLPack device 2, number 1\)"):
        ball.closest_hit(Tensor(rays, (2, 1)))
    with pytest.raises(TypeError, match="rays is on another device"):
        ball.any_hit(Tensor(rays, (2, 0)))


class OldTensor(Tensor):
    """One whose library is from before 2024: it knows no keywords, and refuses them with all its numbers."""

    refused = 0

    def __dlpack__(self, *args, **options):
        if options:
            self.refused += 1
            raise TypeError(f"incompatible arguments: {self.array.tolist()} {options}")
        return self.array.__dlpack__()


def test_tensors_without_keywords_are_shared(ball, rays):
    tensor = OldTensor(rays)
    same(ball.closest_hit(tensor), ball.closest_hit(rays))
    assert tensor.refused == 0
    assert np.shares_memory(_arrays.as_numbers("rays", tensor), rays)


def test_torch(ball, rays):
    torch = pytest.importorskip("torch")
    expected = ball.closest_hit(rays)
    tensor = torch.from_numpy(rays)
    same(ball.closest_hit(tensor), expected)
    # Strides of torch, and numbers that numpy has too.
    same(ball.closest_hit(tensor.T.contiguous().T), expected)
    same(ball.closest_hit(tensor[:, :3], tensor[:, 3:]), expected)
    same(ball.closest_hit(tensor.double()), expected)
    with pytest.raises(TypeError, match="rays"):
        ball.any_hit(tensor.clone().requires_grad_())
    with pytest.raises(TypeError, match="rays"):
        ball.any_hit(tensor.to(torch.bfloat16))


def test_jax(ball, rays):
    jax = pytest.importorskip("jax")
    expected = ball.closest_hit(rays)
    tensor = jax.numpy.asarray(rays)
    same(ball.closest_hit(tensor), expected)
    same(ball.closest_hit(tensor[:, :3], tensor[:, 3:]), expected)
    np.testing.assert_array_equal(ball.contains(tensor[:, :3]), ball.contains(rays[:, :3]))
    with pytest.raises(TypeError, match="rays"):
        ball.any_hit(tensor.astype(jax.numpy.bfloat16))

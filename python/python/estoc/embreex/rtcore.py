"""Devices, which have nothing to say."""

from __future__ import annotations


class EmbreeDevice:
    """What ``embreex.rtcore.EmbreeDevice`` is for programs that make one for their scenes."""

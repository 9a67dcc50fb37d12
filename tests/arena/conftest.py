"""Tests that need an extra are left out where it is not installed; .ci/run installs both and names these files."""

from __future__ import annotations

from importlib.util import find_spec

import whistlestop.arena.ray_cluster  # noqa: F401  (says what Ray is to do before a test imports it)

collect_ignore = [
    file for file, package in (("test_parquet.py", "pyarrow"), ("test_ray.py", "ray")) if find_spec(package) is None
]

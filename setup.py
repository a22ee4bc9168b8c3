"""Lists the packages; everything else about the distribution is in setup.cfg.

`packages = find:` would search the links teller_gym/envs, teller_gym/scenarios, ... An unpacked sdist or a checkout
without links does not have them, and the wheel would silently lack these packages.
"""

from setuptools import find_packages, setup

ROOT_FOLDERS = ("envs", "scenarios", "training", "configs")

core = [
    name
    for name in find_packages(include=["teller_gym", "teller_gym.*"])
    if (*name.split("."), "")[1] not in ROOT_FOLDERS
]
mapped = [f"teller_gym.{name}" for folder in ROOT_FOLDERS for name in find_packages(include=[folder, f"{folder}.*"])]

setup(packages=core + mapped)

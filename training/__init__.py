"""Training recipes: `teller_gym.training` (needs the extra `train`).

Expert data, supervised fine-tuning, GRPO and the evaluation of checkpoints. Nothing here knows about banking: tasks,
tools and rewards come through the environment. Importing the package itself loads no training library.
"""

if __name__ != "teller_gym.training":
    raise ImportError(
        f"the folder training/ is the package 'teller_gym.training', but it was imported as {__name__!r}; "
        "write 'import teller_gym.training' (install it with 'pip install -e .', or start Python in the checkout)"
    )

"""Studies: variants of a training run, each with several seeds, played by the ordinary command and reported together.

python -m teller_gym.training.study configs/study/record.yaml --seeds 0-2 --jobs 2 --runs runs/record --out docs/record
"""

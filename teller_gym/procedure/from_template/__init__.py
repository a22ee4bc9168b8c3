"""Parts of a scenario that are generated from its ``template.yaml``: cases, and the tools that read and file them."""

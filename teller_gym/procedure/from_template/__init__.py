"""Parts of a scenario made only from its ``template.yaml``: drawn cases, and the tools that read and file one."""

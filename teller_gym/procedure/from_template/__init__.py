"""Parts of a scenario made from its ``template.yaml`` only: drawn cases and the tools that read and file one."""

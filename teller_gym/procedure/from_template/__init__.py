"""What a scenario gets from its ``template.yaml`` alone: drawn cases and the tools that read and file one."""

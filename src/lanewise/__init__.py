"""Lanewise: GPU kernels compiled, optimised and run anywhere."""

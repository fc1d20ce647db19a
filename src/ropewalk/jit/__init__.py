"""Numba infrastructure: the kernel decorator and cache, dispatch by rules type, interpreted kernels, intrinsics, PRNG."""

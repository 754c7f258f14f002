"""The machine that a figure was measured on, in words."""

import platform

import torch


def hardware(device: torch.device) -> str:
    """Says what a run had: the GPU's name, or the processor and the threads in use."""
    if device.type == "cuda":
        return f"one {torch.cuda.get_device_name(device)}"
    threads = torch.get_num_threads()
    return f"{platform.machine()} CPU, {threads} thread{'s' if threads != 1 else ''}"

"""Look at a computer through its commands and say what it is."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from advisor.detect import linux_outputs, mac_outputs, system
from advisor.detect.detected import APPLE_SILICON, INTEL_MAC, OTHER, VIRTUAL_MAC, Detected
from advisor.detect.system import Commands, shown

DARWIN = "Darwin"


def look(commands: Commands) -> Detected:
    """What the computer behind ``commands`` is and holds now.

    Never raises for what is missing: a command that is not there, is too slow or says
    something else leaves its facts out, with a sentence in ``missing``.
    """
    name, release, architecture = _uname(commands)
    if name == DARWIN:
        return _mac(_all(commands, system.OF_MAC), architecture)
    return _other(_all(commands, system.OF_LINUX), name, release, architecture)


def kernel(commands: Commands) -> str:
    """The name of the system's kernel, "Darwin" on a Mac; quick, since it asks nothing else."""
    return _uname(commands)[0]


def _uname(commands: Commands) -> list[str]:
    return [*(commands.run(system.UNAME) or "").split(), "", "", ""][:3]


def _all(commands: Commands, asked: tuple[tuple[str, ...], ...]) -> dict[tuple[str, ...], Any]:
    """The outputs of all commands, run at once: a profiler takes most of a second."""
    with ThreadPoolExecutor(max_workers=len(asked)) as pool:
        return dict(zip(asked, pool.map(commands.run, asked), strict=True))


def _mac(outputs: dict[tuple[str, ...], Any], architecture: str) -> Detected:
    keys = mac_outputs.sysctl(outputs[system.SYSCTL])
    overview = mac_outputs.hardware(outputs[system.HARDWARE])
    mlx = mac_outputs.mlx_report(outputs[system.MLX])
    device = mlx.get("device") or {}
    # Under Rosetta sysctl names a made-up Intel chip; the profiler does not.
    chip = overview.chip or keys.get("machdep.cpu.brand_string", "")
    model = overview.model_identifier or keys.get("hw.model", "")
    cores = mac_outputs.gpu_cores(outputs[system.DISPLAYS])
    memory = mac_outputs.number(keys.get("hw.memsize")) or overview.memory_bytes
    in_use = mac_outputs.memory_in_use_bytes(outputs[system.VM_STAT])
    kind = _kind(chip, model, keys, architecture)
    metal = device.get("max_recommended_working_set_size") if kind == APPLE_SILICON else None
    unknown = {
        "the chip": (not chip, system.HARDWARE),
        "the number of GPU cores": (kind == APPLE_SILICON and cores is None, system.DISPLAYS),
        "the memory": (memory is None, system.SYSCTL),
        "the memory in use": (in_use is None, system.VM_STAT),
        "the version of macOS": ("kern.osproductversion" not in keys, system.SYSCTL),
        "the GPU limit as Metal has it": (kind == APPLE_SILICON and not metal, system.MLX),
    }
    found = Detected(
        kind=kind,
        system="macOS",
        version=keys.get("kern.osproductversion", ""),
        architecture=architecture,
        chip=chip,
        model_name=overview.model_name,
        model_identifier=model,
        cpu_cores=overview.cpu_cores or mac_outputs.number(keys.get("hw.ncpu")),
        cpu_classes=mac_outputs.cpu_classes(keys),
        gpu_cores=cores,
        memory_bytes=memory,
        in_use_bytes=in_use,
        wired_limit_mib=mac_outputs.number(keys.get("iogpu.wired_limit_mb")) or None,
        metal_limit_bytes=int(metal) if metal else None,
        power_source=mac_outputs.power_source(outputs[system.POWER]),
        low_power_mode=mac_outputs.low_power_mode(outputs[system.POWER_MODE]),
        missing=tuple(
            f"`{shown(argv[:3])}` does not tell {what}."
            for what, (is_unknown, argv) in unknown.items()
            if is_unknown
        ),
    )
    return _with_mlx(found, mlx)


def _other(
    outputs: dict[tuple[str, ...], Any], name: str, release: str, architecture: str
) -> Detected:
    processor, cores = linux_outputs.processor(outputs[system.CPUINFO])
    memory, in_use = linux_outputs.memory(outputs[system.MEMINFO])
    distribution = linux_outputs.distribution(outputs[system.RELEASE])
    found = Detected(
        kind=OTHER,
        system=distribution or name or "a system that it does not name",
        version=release,
        architecture=architecture,
        chip=processor,
        cpu_cores=cores,
        memory_bytes=memory,
        in_use_bytes=in_use,
    )
    return _with_mlx(found, mac_outputs.mlx_report(outputs[system.MLX]))


def _kind(chip: str, model: str, keys: dict[str, str], architecture: str) -> str:
    if model.startswith("VirtualMac") or "Virtual)" in chip:
        return VIRTUAL_MAC
    # Rosetta says x86_64 on Apple silicon too; the chip's name decides, then the key.
    if chip.startswith("Apple") or keys.get("hw.optional.arm64") == "1":
        return APPLE_SILICON
    return APPLE_SILICON if architecture == "arm64" else INTEL_MAC


def _with_mlx(found: Detected, report: dict[str, Any]) -> Detected:
    return replace(
        found,
        mlx_version=str(report.get("mlx", "")),
        mlx_lm_version=str(report.get("mlx_lm", "")),
        mlx_backend=str(report.get("backend", "")),
    )

"""Quantizations: MLX ones by their bits and groups, GGUF ones by their measured bits a weight."""

import csv
import io
from pathlib import Path

from advisor.catalog.files import parse_list, read_text, shown
from advisor.catalog.shapes import Quant
from advisor.errors import CatalogError


def quants(root: Path) -> dict[str, Quant]:
    """The quantizations of quants.toml, in its order, with the measured bits of gguf_bpw.csv.

    A GGUF file mixes bits by tensor, so its bits per weight are the median of file bits over
    the parameters of many published files. They hold to a few per cent for one model.
    """
    listed = parse_list(Quant, "quant", root / "quants.toml", root)
    path = root / "gguf_bpw.csv"
    where = shown(path, root)
    bits = _measured_bits(path, root)
    for quant in listed.values():
        if quant.bits_per_weight is not None:
            raise CatalogError(
                f"{root.name}/quants.toml: {quant.id} states bits_per_weight. Put it in {where}."
            )
        if (quant.format == "gguf") != (quant.id in bits):
            raise CatalogError(
                f"{where}: {quant.id} is {quant.format} in quants.toml. "
                "Every gguf quantization needs a row here, and no other has one."
            )
    strays = [quant_id for quant_id in bits if quant_id not in listed]
    if strays:
        raise CatalogError(f"{where}: {strays[0]!r} is not in quants.toml. Add it there.")
    return {
        quant.id: quant.model_copy(update={"bits_per_weight": bits.get(quant.id)})
        for quant in listed.values()
    }


def _measured_bits(path: Path, root: Path) -> dict[str, float]:
    where = shown(path, root)
    bits: dict[str, float] = {}
    for row in csv.DictReader(io.StringIO(read_text(path, root))):
        quant_id, printed = row.get("quant_id"), row.get("median_bits_per_weight")
        try:
            value = float(printed or "")
        except ValueError:
            value = 0.0
        if not quant_id or not 0 < value <= 32:
            raise CatalogError(
                f"{where}: {quant_id!r} has median_bits_per_weight {printed!r}. "
                "Give a number above 0 and at most 32."
            )
        if quant_id in bits:
            raise CatalogError(f"{where}: {quant_id!r} is there twice. Remove one.")
        bits[quant_id] = value
    return bits

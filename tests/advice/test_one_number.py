"""One key has one number: every page, the command line and every export say the same.

With runs of this Mac in the store: for this Mac, which they correct, and for another, to which
they carry over.
"""

import csv
import io
import json
from dataclasses import replace

import pandas as pd
import pytest

from advisor.advice import this_machine
from advisor.advice.scenario import Scenario, machines
from advisor.catalog import load
from advisor.cli import main
from advisor.share import answer as share
from advisor.upgrade import machines as upgrade
from advisor.views import fit_rows, speed_rows, widgets
from tests.advice.test_own_runs import keep

MODEL, QUANT, CONTEXT = "qwen3-14b", "mlx-4bit", 2048
MACS = {
    "this Mac": ("this", "this,,", "this"),
    "a Mac in the shop": ("mac-mini-m4-16", "M4,10,16", "m4:10:16"),
}


def of(table: pd.DataFrame, machine_id: str, model="model_id", quant="quant_id") -> float:
    row = table[(table[model] == MODEL) & (table[quant] == QUANT)]
    name = "machine_id" if "machine_id" in row else "machine"
    return float(row[row[name] == machine_id]["decode_tok_s"].iloc[0])


@pytest.mark.parametrize(("machine_id", "parts", "upgrade_id"), MACS.values(), ids=MACS)
def test_one_number_everywhere(this_mac, machine_id, parts, upgrade_id, capsys, tmp_path):
    catalog = load()
    plain = widgets.table(catalog, Scenario(a=machine_id, context_tokens=CONTEXT))
    before = of(plain, machine_id)
    keep(this_mac, 0.8)
    scenario = Scenario(a=machine_id, context_tokens=CONTEXT)
    expected = of(widgets.table(catalog, scenario), machine_id)
    assert expected < before

    both = machines(catalog, scenario)
    rows = fit_rows.rows(catalog, widgets.table(catalog, scenario), 0, every_quant=True)
    exported = pd.read_csv(io.BytesIO(fit_rows.download(rows)))
    asked = speed_rows.Asked(both, ((MODEL, QUANT),), "mlx-lm", 16, CONTEXT)
    curve = speed_rows.curves(catalog, asked)
    last = curve[(curve["machine_id"] == machine_id) & (curve["context_tokens"] == CONTEXT)]
    shared = share.answer_of(catalog, scenario, both).ranked
    other = upgrade.machine(catalog, upgrade_id)
    main(["fit", machine_id, "--context", str(CONTEXT), "--json"])
    fitted = pd.DataFrame(json.loads(capsys.readouterr().out))
    ask = tmp_path / "ask.csv"
    ask.write_text(
        "chip,gpu_cores,memory_gb,runtime,model,quant,context_tokens\n"
        f"{parts},mlx-lm,Qwen3-14B,{QUANT},{CONTEXT}\n"
    )
    main(["predict", str(ask)])
    (predicted,) = csv.DictReader(io.StringIO(capsys.readouterr().out))

    assert of(exported, machine_id, "model", "quant") == pytest.approx(expected, rel=1e-12)
    assert float(last["decode_tok_s"].iloc[0]) == pytest.approx(expected, rel=1e-12)
    assert of(fitted, machine_id, "model", "quant") == pytest.approx(expected, rel=1e-12)
    assert float(predicted["decode_tok_s"]) == pytest.approx(expected, rel=1e-5)
    assert predicted["basis"] == set(fitted["basis"][fitted["runtime"] == "mlx-lm"]).pop()
    assert predicted["basis"] == "calibrated"
    if QUANT in set(shared[shared["model_id"] == MODEL]["quant_id"]):
        assert of(shared, machine_id) == pytest.approx(expected, rel=1e-12)
    same = replace(other, id=machine_id)
    asked = replace(asked, machines=(same,))
    assert of(speed_rows.at(catalog, asked, CONTEXT), machine_id) == pytest.approx(expected)


def test_without_a_store_nothing_is_looked_at(this_mac, monkeypatch):
    def never():
        raise AssertionError("no need to ask what this computer is")

    monkeypatch.setattr(this_machine, "detected", never)

    assert this_machine.find(load(), "mac-mini-m4-16").taught == ()

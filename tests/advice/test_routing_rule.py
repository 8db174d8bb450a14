"""A request class goes to the best-ranked model that holds its context and is fast enough."""

from advisor.advice import routing_rule
from advisor.catalog import load
from advisor.estimate import plan


def test_each_class_reaches_its_floor_on_each_machine():
    catalog = load()
    machines = [catalog.machine("mac-mini-m4-16"), catalog.machine("mac-mini-m4-pro-48")]
    ids = [machine.id for machine in machines]

    found = routing_rule.routes(
        catalog,
        ids,
        lambda context: plan.table(catalog, machines, context_tokens=context, runtime="mlx-lm"),
    )

    assert [(route.request.id, route.machine_id) for route in found] == [
        (name, machine_id) for name in ("short", "chat", "code", "long") for machine_id in ids
    ]
    for route in found:
        assert route.pick is not None
        assert route.pick["verdict"] == "fits"
        assert route.pick["decode_tok_s"] >= route.request.least_tok_s
        longest = catalog.shapes.at[route.pick["model_id"], "max_context_tokens"]
        assert longest >= route.request.context_tokens


def test_a_small_mac_sends_short_requests_to_a_smaller_model_than_chat():
    catalog = load()
    machine = catalog.machine("mac-mini-m4-16")

    found = {
        route.request.id: route.pick
        for route in routing_rule.routes(
            catalog,
            [machine.id],
            lambda context: plan.table(
                catalog, [machine], context_tokens=context, runtime="mlx-lm"
            ),
        )
    }

    assert found["short"]["read_weight_bytes"] < found["chat"]["read_weight_bytes"]

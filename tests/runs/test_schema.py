"""Steps are taken once, in order, and keep what a store holds."""

import sqlalchemy as sa

from advisor.runs import schema


def memory() -> sa.Engine:
    return sa.create_engine("sqlite://")


def test_an_empty_store_has_seen_nothing():
    with memory().begin() as connection:
        assert schema.version(connection) == 0


def test_steps_are_taken_once_and_in_order():
    taken = []
    steps = [lambda _, number=number: taken.append(number) for number in (1, 2, 3)]

    with memory().begin() as connection:
        schema.bring_up_to_date(connection, (steps[0],))
        assert schema.version(connection) == 1
        schema.bring_up_to_date(connection, tuple(steps))
        schema.bring_up_to_date(connection, tuple(steps))
        assert schema.version(connection) == 3

    assert taken == [1, 2, 3]


def test_the_table_that_the_steps_make_is_the_one_that_is_used():
    with memory().begin() as connection:
        schema.bring_up_to_date(connection)

        made = {column["name"] for column in sa.inspect(connection).get_columns("tollbooth_runs")}

    assert made == {column.name for column in schema.runs.columns}

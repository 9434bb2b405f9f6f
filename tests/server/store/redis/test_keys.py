from redis.crc import key_slot

from server.store.redis.keys import (
    PARTITIONS,
    channel_of,
    due_key,
    forget_key,
    log_keys,
    log_of_channel,
    names_key,
    partition_of,
    probe_key,
    retire_key,
    table_keys,
    tables_key,
    unprojected_key,
)


def test_the_partition_of_a_log_never_changes() -> None:
    # If one of these fails, races that were stored before will not be found any more.
    assert [partition_of(name) for name in (b"race:ABCDEFGH", b"player:x", b"server")] == [30, 81, 246]


def test_the_keys_of_a_log_are_those_that_operations_md_lists() -> None:
    assert log_keys(b"server") == (
        b"{p246}:log:server",
        b"{p246}:ends",
        b"{p246}:due",
        b"{p246}:retire",
        b"{p246}:packed:server",
        b"{p246}:names",
        b"{p246}:forget",
        b"{p246}:unprojected",
    )
    assert table_keys(b"server") == (b"{p246}:scores:server", b"{p246}:rows:server", b"{p246}:tables")
    assert probe_key(7) == b"{p007}:probe"


def test_all_keys_of_a_partition_share_a_slot_even_if_a_name_has_braces() -> None:
    for name in (b"race:A", b"{x}:y", b"}{"):
        number = partition_of(name)
        indexes = (due_key, retire_key, forget_key, names_key, unprojected_key, tables_key, probe_key)
        keys = (*log_keys(name), *table_keys(name), *(index(number) for index in indexes))
        assert len({key_slot(key) for key in keys}) == 1


def test_logs_are_spread_over_all_partitions_and_those_over_all_slots() -> None:
    used = {partition_of(b"race:%06d" % number) for number in range(5000)}
    assert used == set(range(PARTITIONS))
    thirds = [key_slot(due_key(number)) * 3 // 16384 for number in range(PARTITIONS)]
    assert all(thirds.count(third) > 60 for third in range(3))


def test_the_name_of_a_log_is_found_in_its_channel() -> None:
    assert log_of_channel(channel_of(b"log:log:x")) == b"log:log:x"

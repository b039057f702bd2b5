# tests/simulated/test_program: builds what the other tests here simulate, which run after it.


def test_the_program_is_built_for_the_simulator(program):
    for name in ("weft", "ensembles", "exchanges"):
        assert program.with_name(name).stat().st_size > 0

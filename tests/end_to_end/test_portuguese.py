"""Races by lines in Portuguese, asked for by an option or by the locale; the server's sentences too."""

from pathlib import Path

import pytest

from tests.end_to_end.program import Home

MOVES = "5a 5b\n5h 6a\nh\nc 3\nu\np\nl 5\ndisparate!\n?\nq\n"

TOLD = (
    "Código da corrida: ",
    "distribuição 1 (FC1-C4-AAAAAAB), como prometido antes do começo",
    "regras race",
    "Classificação:",
    "ana (você): 0 de 52 nas fundações",
    "6♣ da coluna 5 para a célula a (0 de 52 nas fundações, 1 ação, 0:0",
    "8♥ da coluna 5 para a célula b (0 de 52 nas fundações, 2 ações, 0:0",
    "Recusado: 5h: 4♥ ainda não pode ir: a fundação de copas espera A♥",
    "Não tentado: 6a",
    "Recusado: esta corrida é sem dicas",
    "Da coluna 3:",
    "  para a coluna 1: nenhuma (2♥ não vai sobre 6♠, que aceita 5♦ ou 5♥)",
    "  para a célula c: 1 carta",
    "Desfeito: 8♥ da célula b para a coluna 5",
    "coluna 5: 5♦ A♦ J♠ 4♥ 8♥",
    "'disparate!' não é uma jogada nem uma palavra daqui; ? mostra o que se pode digitar",
    "Uma jogada diz de onde, depois para onde:",
    "A corrida continua sem você; volte com: cellrace play",
)


def missing(shown: str) -> list[str]:
    """What was not told, or not in this order."""
    lost, rest = [], shown
    for text in TOLD:
        if text in rest:
            rest = rest.partition(text)[2]
        else:
            lost.append(text)
    return lost


@pytest.mark.parametrize(
    ("options", "environment"),
    [
        (("--lang", "pt"), {}),
        ((), {"LC_ALL": "pt_PT.UTF-8"}),
        ((), {"LC_ALL": "", "LANG": "pt_BR.UTF-8"}),
    ],
)
async def test_a_session(tmp_path: Path, options: tuple[str, ...], environment: dict[str, str]) -> None:
    home = Home(tmp_path, "ana", PYTHONIOENCODING="utf-8", **environment)
    status, shown = await home.run("play", "--deal", "1", *options, text=MOVES)
    assert status == 0
    assert missing(shown) == []


async def test_a_race_with_others(tmp_path: Path) -> None:
    ana, bia = Home(tmp_path, "ana", LC_ALL="pt_PT.UTF-8"), Home(tmp_path, "bia", LC_ALL="pt_BR.UTF-8")
    listen = ("--listen", "127.0.0.1:0", "--deal", "1", "--cells", "3", "--watch", "live", "--countdown", "1")
    async with ana.start("host", *listen) as host:
        invitation = (await host.shows("cellrace ")).split()
        assert "Os amigos entram com:" in host.shown
        async with bia.start(*invitation) as joined:
            await joined.shows("na sala de espera: 2 de 8 lugares ocupados")
            await joined.shows("regras race; 3 células livres")
            joined.type("/set cells 2\nsay olá\n")
            await joined.shows("Recusado: set: só o anfitrião pode fazer isso; é ana")
            await host.shows("bia diz: olá")
            host.type("/start\n")
            await joined.shows("A corrida começa em 1 s.")
            joined.type("5d\nresign\n")
            await joined.shows("Recusado: 5d: não há célula d: as células vão de a a c")
            await host.shows("bia: desistiu, 0 de 52 nas fundações")
            host.type("resign\n")
            for program in (host, joined):
                await program.shows("A corrida acabou.")
            assert await joined.ends() == 0
        assert await host.ends() == 0


async def test_one_that_does_not_go_on(tmp_path: Path) -> None:
    home = Home(tmp_path, "ana", LANG="pt_PT.UTF-8", LC_ALL="")
    async with home.start("host", "--listen", "127.0.0.1:0") as host:
        command = (await host.shows("cellrace ")).split()
        status, shown = await Home(tmp_path, "bia").run("join", "ABCDEFGH", "--lang=pt", *command[2:])
        assert (status, shown) == (1, "cellrace: não há corrida com este código\n")

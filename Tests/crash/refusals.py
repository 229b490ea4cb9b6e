"""Refusals of commands: one line each, and no file is made."""
import os

from client import check

USAGE_ERROR = 64
# A well-formed identifier of nobody.
UNKNOWN = f"{1:032x}-1"
KEPT = "kept as it is\n"


async def check_refusals(program, game):
    """`game` is an existing one. Returns the number of refusals."""
    folder = program.data.parent / "refusals"
    empty, missing, kept, new = (folder / name for name in ("empty", "missing", "kept", "new"))
    empty.mkdir(parents=True)
    kept.write_text(KEPT)
    before = everything_in(program.data.parent)
    count = 0

    async def refuses(words, *arguments, data=None, of_usage=False):
        nonlocal count
        count += 1
        status, output, errors = await program.command(*arguments, data=data)
        what = f"madang {' '.join(map(str, arguments))}"
        check((status, output) == (USAGE_ERROR, ""), f"{what} ended with {status}: {output}{errors}")
        lines = errors.splitlines()
        check(lines and lines[0].startswith("Error: ") and words in lines[0], f"{what} complains: {errors}")
        check(of_usage or len(lines) == 1, f"{what} says more than a line: {errors}")
        check(not of_usage or f"Usage: madang {arguments[0]}" in errors, f"{what} does not tell its usage: {errors}")
        after = everything_in(program.data.parent)
        check(after == before and kept.read_text() == KEPT, f"{what} left {after}, where {before} was")

    for data in (missing, empty):
        for command in (
            ("games",), ("replay", game), ("export", game, "-o", new), ("backup", new), ("check",),
        ):
            await refuses(f"no store in the folder {data}: No such file", *command, data=data)
    for command in (("replay",), ("export", "-o", new)):
        await refuses("nonsense names no game", *command, "nonsense")
        await refuses(f"there is no finished game {UNKNOWN}", *command, UNKNOWN)
        await refuses("Missing expected argument", *command, of_usage=True)
    for command in (("export", game, "-o"), ("backup",)):
        await refuses(f"{kept} is there already", *command, kept)
        await refuses(f"can't write to the folder {missing}/: No such file", *command, missing / "new")
    await refuses("Give either a file or --folder", "backup", of_usage=True)
    await refuses("--keep needs --folder", "backup", new, "--keep", "3", of_usage=True)
    for command in ("verify", "restore"):
        await refuses(f"can't read {missing}: No such file", command, missing, data=new if command == "restore" else False)
    await refuses("'xml' is invalid", "export", game, "--format", "xml", of_usage=True)
    await refuses(f"{new}.csv is neither .json nor .gpx", "export", game, "-o", f"{new}.csv")
    await refuses(
        "--admin-token needs --admin-port", "serve", "--port", "0", "--admin-token", "0123456789abcdef", data=missing
    )
    await refuses("xyz is no room code", "qr", "https://play.example.org/j/xyz", data=False)
    await refuses("count is at least 1", "games", "--count", "0", of_usage=True)
    await refuses("Unexpected argument 'everything'", "games", "everything", of_usage=True)
    await refuses(f"a backup is checked by: madang verify {kept}", "check", kept)
    await refuses(f"a backup is checked by: madang verify {kept}", "check", data=kept)
    for nowhere in ("http://0.0.0.0:8080", "https://[::]:8443"):
        await refuses(f"{nowhere} leads to no machine", "serve", "--port", "0", "--public-url", nowhere, data=missing)
    await refuses("Nowhere/Land is no time zone", "serve", "--port", "0", "--time-zone", "Nowhere/Land", data=missing)
    await refuses(f"--config {kept}", "serve", "--config", kept, data=missing)
    for variable, words in (("MADANG_PORT", "is no whole number"), ("MADANG_CONFORMANCE", "is neither true nor false")):
        os.environ[variable] = "abc"
        await refuses(f"{variable} {words}", "serve", data=missing)
        del os.environ[variable]
    return count


def everything_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))

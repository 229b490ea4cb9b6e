"""A real PostgreSQL takes the SQL of the embedded store.

Every statement in Sources/Store/SQLite is prepared by a server of its own, which lives in a temporary folder, listens
on a socket there and is gone at the end. Regular differences between the two engines are translated before:
placeholders, the words of the schema in `SCHEMA_WORDS`, and those of the search in `STATEMENT_WORDS`.
"""
import contextlib
import glob
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unicodedata

import pytest

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "Sources/Store/SQLite"
# SQLite's words in the schema, each with PostgreSQL's.
SCHEMA_WORDS = [
    (r"\bBLOB\b", "BYTEA"),
    (r"\bINTEGER PRIMARY KEY\b", "BIGINT PRIMARY KEY"),
    (r"\)\s*WITHOUT ROWID\b", ")"),
    # An R*Tree over boxes is a plain table in PostgreSQL, where an index of its own kind makes it as fast.
    (
        r"CREATE VIRTUAL TABLE (\w+) USING rtree_i32 \((\w+), (\w+), (\w+), (\w+), (\w+)\)",
        r"CREATE TABLE \1 (\2 BIGINT PRIMARY KEY, \3 INTEGER, \4 INTEGER, \5 INTEGER, \6 INTEGER)",
    ),
    # A full-text index is a column of tokens with their places.
    (
        r"CREATE VIRTUAL TABLE (\w+) USING fts5 \((\w+), [^)]*\)",
        r"CREATE TABLE \1 (rowid BIGINT PRIMARY KEY, \2 TSVECTOR NOT NULL); CREATE INDEX \1_\2 ON \1 USING gin (\2)",
    ),
]
# SQLite's statements on a full-text index, each with PostgreSQL's.
STATEMENT_WORDS = [
    (
        r"INSERT INTO (\w+) \(\1, rowid, (\w+)\) VALUES \('delete', \?, \?\)",
        r"DELETE FROM \1 WHERE rowid = ? AND \2 = CAST(? AS tsvector)",
    ),
    (r"\bpost_search MATCH \?", "pairs @@ CAST(? AS tsquery)"),
]
LITERAL = re.compile(r'"""\n(?P<lines>.*?)"""|"(?P<line>(?:[^"\\\n]|\\.)*)"', re.DOTALL)
# The calls that take statements; the argument is a literal, or the name of one.
CALL = re.compile(r"(?:(?:\bdb|\$0)\.(?:run|rows|row|finds)\(|\bsql:)\s*(?P<argument>[^\s,)]*)")
NAMES = {"sql", "step", "query", "String"}
START_S = 20


def literals(source):
    """The string literals of a Swift source that are SQL, each with its line."""
    code = re.sub(r"^[ \t]*//.*$", "", source, flags=re.MULTILINE)
    for match in LITERAL.finditer(code):
        text = match["lines"] if match["lines"] is not None else match["line"]
        if re.match(r"\s*((SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|WITH)\b|\\\(\w+\.query\))", text):
            yield code.count("\n", 0, match.start()) + 1, text
    for match in CALL.finditer(code):
        argument = match["argument"]
        is_literal = not argument or argument.startswith('"') or argument in NAMES
        assert is_literal, f"a statement that is no literal: {match[0]}"


def queries(sources):
    """The beginnings that several statements share, by their names."""
    found = {}
    for source in sources.values():
        for match in re.finditer(r'extension (\w+) \{\n\s*static let query =\s*("""\n.*?"""|"[^"\n]*")', source, re.DOTALL):
            found[match[1]] = match[2].strip('"')
    return found


def numbered(statement):
    """The statement with PostgreSQL's placeholders."""
    count = 0

    def number(_):
        nonlocal count
        count += 1
        return f"${count}"

    return re.sub(r"\?", number, statement)


def collect():
    """The schema, step by step, and the statements, each in one line with its source."""
    sources = {path: path.read_text() for path in sorted(SOURCES.glob("*.swift"))}
    shared = queries(sources)
    names = re.search(r"steps = \[([\w.,\s]+)\]", sources[SOURCES / "Schema.swift"])[1]
    # A step may be of a type of its own, `PlanSchema.plans`.
    steps = re.findall(r"\b[a-z]\w*", names)
    schema, statements = {}, []
    for path, source in sources.items():
        for line, text in literals(source):
            where = f"{path.relative_to(SOURCES.parents[2])}:{line}"
            text = re.sub(r"\\\((\w+)\.query\)", lambda match: shared[match[1]], text)
            assert "\\(" not in text, f"{where}: a statement that is put together"
            definition = re.search(r"static let (\w+) = \"\"\"$", source.splitlines()[line - 1])
            if definition and definition[1] in steps:
                for word, other in SCHEMA_WORDS:
                    text = re.sub(word, other, text)
                schema[definition[1]] = text
            else:
                text = " ".join(text.split())
                for word, other in STATEMENT_WORDS:
                    text = re.sub(word, other, text)
                statements.append((where, numbered(text)))
    assert set(steps) == set(schema), f"the schema's steps are {steps}, and its definitions {sorted(schema)}"
    return "\n".join(schema[step] for step in steps), statements


def programs():
    """The folder of PostgreSQL's server programs."""
    for found in sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda path: int(path.split("/")[4]), reverse=True):
        return pathlib.Path(found).parent
    found = shutil.which("initdb")
    return pathlib.Path(found).parent if found else pytest.fail("PostgreSQL's server is not here")


@contextlib.contextmanager
def postgres():
    """Runs a server for the tests; yields the psql command for it."""
    # It refuses to run as root.
    identity = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
    with tempfile.TemporaryDirectory(prefix="madang-postgres-") as name:
        if identity:
            shutil.chown(name, "postgres", "postgres")
        data = f"{name}/data"
        initdb = [programs() / "initdb", "-D", data, "-U", "madang", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        subprocess.run(initdb, check=True, cwd=name, stdout=subprocess.DEVNULL, **identity)
        with open(f"{name}/log", "w+") as log:
            server = subprocess.Popen(
                [programs() / "postgres", "-D", data, "-k", name, "-c", "listen_addresses=", "-c", "fsync=off"],
                cwd=name, stdout=log, stderr=log, **identity,
            )
            try:
                deadline = time.monotonic() + START_S
                while subprocess.run([programs() / "pg_isready", "-q", "-h", name]).returncode != 0:
                    if server.poll() is not None or time.monotonic() > deadline:
                        log.seek(0)
                        pytest.fail(f"PostgreSQL does not start: {log.read()}")
                    time.sleep(0.05)
                yield [programs() / "psql", "-X", "-q", "-h", name, "-U", "madang", "-d", "postgres"]
            finally:
                # The signal of a fast shutdown.
                server.send_signal(signal.SIGINT)
                server.wait()


@pytest.fixture(scope="module")
def collected():
    """The schema, and the statements."""
    return collect()


@pytest.fixture(scope="module")
def psql():
    with postgres() as psql:
        yield psql


@pytest.fixture(scope="module")
def made(psql, collected):
    """The outcome of the schema."""
    return subprocess.run(
        [*psql, "-v", "ON_ERROR_STOP=1", "-1"], input=collected[0], text=True, capture_output=True, check=False
    )


def test_postgres_takes_the_schema(collected, made):
    assert collected[0] and made.returncode == 0, f"the schema: {made.stderr}"


def test_postgres_takes_every_statement(collected, psql, made):
    assert made.returncode == 0, "there is no schema for them"
    _, statements = collected
    assert len(statements) >= 50, "few statements were found: the store's sources look otherwise than this expects"
    # One a line, so that an error's line is its statement's number.
    lines = [f"PREPARE s{index} AS {statement};" for index, (_, statement) in enumerate(statements)]
    lines.append("SELECT COUNT(*) FROM pg_prepared_statements;")
    prepared = subprocess.run(
        [*psql, "-At", "-f", "-"], input="\n".join(lines), text=True, capture_output=True, check=False
    )
    refused = []
    for line, error in re.findall(r"^psql:<stdin>:(\d+): (ERROR:.*)$", prepared.stderr, re.MULTILINE):
        where, statement = statements[int(line) - 1]
        refused.append(f"{where}: {error}\n  {statement}")
    assert not refused, "\n".join(refused)
    assert (prepared.stderr, prepared.stdout) == ("", f"{len(statements)}\n")


def words(text):
    """The words of a text as the store has them, as far as these tests need it."""
    return re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text).lower())


def pairs(word):
    return [word[index:index + 2] for index in range(len(word) - 1)]


def vector(text):
    """A text's tokens with their places, as PostgreSQL reads them."""
    tokens = [token for word in words(text) for token in [*pairs(word), word[-1]]]
    return " ".join(f"'{token}':{place + 1}" for place, token in enumerate(tokens))


def query(text):
    """A query: a phrase of pairs for each word, the beginning of a token for one of one character."""
    phrases = [" <-> ".join(f"'{pair}'" for pair in pairs(word)) or f"'{word}':*" for word in words(text)]
    return " & ".join(f"({phrase})" for phrase in phrases)


def test_postgres_finds_any_part_of_a_word(psql, made):
    """The questions of the contract's tests, asked by the means that the decision on the search names."""
    assert made.returncode == 0, "there is no schema for them"
    texts = ["여름바다 좋다", "바다도소리도 좋다", "산이 좋아 Busan에서", "바람 다리", "ＢＵＳＡＮ 2026 바다", "!!! 🏖️", "가"]
    expected = {
        "바다": [5, 2, 1], "도소": [2], "다": [5, 4, 2, 1], "도": [2], "좋": [3, 2, 1], "름바다": [1], "busan": [5, 3],
        "BUSAN에": [3], "us": [5, 3], "2": [5], "20 바다": [5], "좋다 바다": [2, 1], "바람다": [], "다좋": [], "가": [7],
        "없는": [], "서": [3], "n에": [3],
    }

    def quoted(text):
        return "'" + text.replace("'", "''") + "'"

    statements = [
        f"INSERT INTO post_search (rowid, pairs) VALUES ({number}, {quoted(vector(text))});"
        for number, text in enumerate(texts, 1) if words(text)
    ] + ["SET enable_seqscan = off;"]
    for text in expected:
        found = f"SELECT rowid FROM post_search WHERE pairs @@ CAST({quoted(query(text))} AS tsquery) ORDER BY rowid DESC"
        statements.append(f"SELECT COALESCE(string_agg(CAST(rowid AS text), ','), '') FROM ({found}) AS found;")
    statements.append(f"EXPLAIN {found};")
    asked = subprocess.run(
        [*psql, "-At", "-v", "ON_ERROR_STOP=1", "-1", "-f", "-"],
        input="\n".join(statements), text=True, capture_output=True, check=False,
    )
    assert asked.returncode == 0, asked.stderr
    lines = asked.stdout.splitlines()
    answers = [[int(number) for number in line.split(",") if number] for line in lines[:len(expected)]]
    assert dict(zip(expected, answers)) == expected
    assert "post_search_pairs" in "\n".join(lines[len(expected):]), "the query uses no index"

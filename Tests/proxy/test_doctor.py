"""`madang doctor` finds nothing wrong behind the recipes, and each fault that is made on purpose."""
import json
import os
import subprocess
import time

import pytest

from recipes import Authority, NAME, NginxRecipe, RECIPES

SOURCE = "127.0.0.44"


def doctor(madang, *words, status=None):
    """The findings by their check, each as (level, text, advice)."""
    done = subprocess.run(
        [madang, "doctor", "--json", *map(str, words)], capture_output=True, text=True, timeout=120, check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.stdout, done.stderr
    findings = json.loads(done.stdout)["findings"]
    failures = [finding for finding in findings if finding["level"] == "failure"]
    assert done.returncode == (1 if failures else 0), done.stderr
    assert status is None or done.returncode == status, findings
    return {finding["check"]: finding for finding in findings}


def ask(madang, recipe, *words):
    return doctor(
        madang, recipe.base, "--address", "127.0.0.1", "--from", SOURCE, "--authorities", recipe.authorities, *words
    )


def wrong(findings):
    """The checks that are not well, with their levels."""
    return {check: finding["level"] for check, finding in findings.items() if finding["level"] != "ok"}


@pytest.mark.parametrize("name", list(RECIPES))
def test_behind_each_recipe_all_is_well(madang, tmp_path, name):
    with RECIPES[name](tmp_path / "proxy").before_a_server(madang) as recipe:
        findings = ask(madang, recipe)
        assert not wrong(findings), findings
        assert set(findings) == {
            "name", "address", "certificate", "server", "clock", "links", "client-address", "forgery", "upgrade", "compression",
            "messages", "uploads",
        }
        lines = subprocess.run(
            [madang, "doctor", recipe.base, "--address", "127.0.0.1", "--from", SOURCE, "--authorities",
             recipe.authorities],
            check=True, capture_output=True, text=True,
        ).stdout.splitlines()
        assert lines[-1] == "12 ok, 0 warnings, 0 failures"
        assert any(line.startswith("ok       certificate    valid for ") for line in lines)


FAULTS = {
    "no upgrade": (
        [("proxy_set_header Upgrade $http_upgrade;", ""), ("proxy_set_header Connection $madang_connection;", "")], [],
        {"upgrade": "failure"},
    ),
    "a small bound": ([("client_max_body_size 8m;", "client_max_body_size 1m;")], [], {"uploads": "failure"}),
    "collected bodies": ([("proxy_request_buffering off;", "")], [], {"uploads": "warning"}),
    "no extensions": (
        [("proxy_buffering off;", 'proxy_buffering off; proxy_set_header Sec-WebSocket-Extensions "";')], [],
        {"compression": "warning"},
    ),
    "no address": (
        # What a client says of itself passes nginx then.
        [("proxy_set_header X-Forwarded-For $remote_addr;", "")], [], {"client-address": "failure", "forgery": "failure"},
    ),
    "believed clients": (
        [("X-Forwarded-For $remote_addr", "X-Forwarded-For $proxy_add_x_forwarded_for")],
        ["--trusted-proxies", "127.0.0.0/8"], {"forgery": "failure"},
    ),
    "another public URL": ([], ["--public-url", "https://old.example.org"], {"links": "failure"}),
    "a lost port": ([("Host $http_host", "Host $host")], [], {"links": "failure"}),
    "a lost scheme": ([("proxy_set_header X-Forwarded-Proto $scheme;", "")], [], {"links": "failure"}),
    "refused compression": ([], ["--no-compression"], {"compression": "warning"}),
}


@pytest.mark.parametrize("fault", list(FAULTS))
def test_a_fault_of_proxy_or_settings_is_found(madang, tmp_path, fault):
    changes, options, expected = FAULTS[fault]

    class Broken(NginxRecipe):
        pass

    Broken.changes, Broken.more_options = changes, options
    with Broken(tmp_path / "proxy").before_a_server(madang) as recipe:
        findings = ask(madang, recipe)
    assert wrong(findings) == expected, findings
    assert all(findings[check]["advice"] for check in expected)


def test_a_proxy_without_its_server_is_found(madang, tmp_path):
    with NginxRecipe(tmp_path / "proxy").before_a_server(madang) as recipe:
        recipe.server.shut_down()
        findings = ask(madang, recipe)
        assert wrong(findings) == {"server": "failure"} and "502" in findings["server"]["text"]
        recipe.server.launch()


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("authority") / "files")


def served(serve, madang, authority, pair, trusts=True):
    """What is found of a server that shows this certificate itself."""
    chain, key, _ = pair
    server = serve("--tls-certificate", chain, "--tls-key", key)
    trusted = ["--authorities", authority.file] if trusts else []
    return doctor(
        madang, f"https://{NAME}:{server.port}", "--address", "127.0.0.1", "--from", SOURCE, *trusted
    )


def date(days):
    return time.strftime("%Y%m%d%H%M%SZ", time.gmtime(time.time() + days * 86_400))


def test_certificates_that_end_are_found_in_time(serve, madang, authority):
    ended = served(serve, madang, authority, authority.sign(starts=date(-90), ends=date(-5)))
    assert wrong(ended) == {"certificate": "failure"} and "ended" in ended["certificate"]["text"]
    soon = served(serve, madang, authority, authority.sign(starts=date(-80), ends=date(10)))
    assert wrong(soon) == {"certificate": "warning"}, soon
    sooner = served(serve, madang, authority, authority.sign(starts=date(-87), ends=date(3.5)))
    assert wrong(sooner) == {"certificate": "failure"}, sooner


def test_a_certificate_for_another_name_or_of_nobody_is_found(serve, madang, authority):
    other = served(serve, madang, authority, authority.sign("other.example.org"))
    assert wrong(other) == {"certificate": "failure"}
    assert f"for DNS:other.example.org, not for {NAME}" in other["certificate"]["text"]
    unknown = served(serve, madang, authority, authority.sign(days=61), trusts=False)
    assert wrong(unknown) == {"certificate": "failure"} and "not trusted" in unknown["certificate"]["text"]


def test_a_name_without_address_and_a_closed_port_are_found(madang):
    assert wrong(doctor(madang, "https://nowhere.invalid", status=1)) == {"name": "failure"}
    closed = doctor(madang, "http://127.0.0.1:1", status=1)
    assert closed["address"]["level"] == "failure" and "upgrade" not in closed


def test_health_alone_is_asked(madang, serve):
    server = serve()
    assert set(doctor(madang, f"http://{server.address}", "--health")) == {"server"}
    server.shut_down()
    assert wrong(doctor(madang, f"http://{server.address}", "--health", status=1)) == {"server": "failure"}
    server.launch()


def test_another_program_is_no_server(madang, tmp_path):
    class Other(NginxRecipe):
        changes = [("proxy_pass http://madang;", 'return 200 "hello";')]

        def is_well(self, answer):
            return answer.content == b"hello"

    with Other(tmp_path / "proxy").before_a_server(madang) as recipe:
        findings = ask(madang, recipe)
    assert wrong(findings) == {"server": "failure"} and "not by Madang" in findings["server"]["text"]


def test_disk_descriptors_and_backups_of_the_machine(madang, server, tmp_path):
    backups = tmp_path / "backups"
    backups.mkdir()
    words = ("--data", server.data, "--backups", backups)
    empty = doctor(madang, *words, status=1)
    assert empty["backup"]["level"] == "failure" and empty["disk"]["text"].endswith(f"for {server.data}")
    assert "the running server" in empty["descriptors"]["text"]
    copy = backups / "yesterday.sqlite"
    subprocess.run([madang, "backup", copy, "--data", server.data], check=True)
    (backups / "notes.txt").write_text("newer, and no backup")
    assert doctor(madang, *words)["backup"]["level"] == "ok"
    os.utime(copy, (time.time() - 27 * 3_600,) * 2)
    assert doctor(madang, *words)["backup"]["level"] == "warning"
    assert doctor(madang, *words, "--backup-hours", 28)["backup"]["level"] == "ok"
    os.utime(copy, (time.time() - 27 * 7 * 3_600,) * 2)
    assert doctor(madang, *words)["backup"]["level"] == "failure"
    (backups / "today.sqlite").write_bytes(b"")
    assert "no SQLite database" in doctor(madang, *words)["backup"]["text"]
    assert doctor(madang, "--data", tmp_path / "nowhere", status=1)["disk"]["level"] == "failure"
    assert doctor(madang, "--backups", tmp_path / "nowhere", status=1)["backup"]["level"] == "failure"


def test_the_settings_name_the_public_url_and_the_folder(madang, server, tmp_path):
    settings = tmp_path / "madang.json"
    settings.write_text(json.dumps({"publicUrl": f"http://{server.address}", "data": str(server.data)}))
    findings = doctor(madang, "--config", settings)
    assert {"address", "upgrade", "links", "disk", "descriptors"} <= set(findings)
    # A direct server on this machine: nothing is wrong, and there is no TLS.
    assert "without TLS" in findings["tls"]["text"] and findings["tls"]["level"] == "ok"


@pytest.mark.parametrize("words", [
    [], ["ftp://a.example"], ["https://"], ["https://a.example", "--from", "eth0"], ["--data", ".", "--backup-hours", "0"],
])
def test_wrong_usage_says_so(madang, tmp_path, words):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MADANG_")}
    done = subprocess.run(
        [madang, "doctor", *words], capture_output=True, text=True, check=False, cwd=tmp_path, env=environment
    )
    assert done.returncode == 64 and done.stderr.startswith("Error: ") and not done.stdout

"""The certificate for a phone's browser is made once, kept, and renewed when it no longer fits."""

from __future__ import annotations

import ssl
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509

from webui.certificate import DAYS, CertificateError, certificate

HERE = ["192.0.2.7", "localhost"]
NOW = datetime(2026, 11, 30, tzinfo=UTC)


def test_it_is_kept_while_it_fits(tmp_path: Path) -> None:
    first = certificate(HERE, tmp_path, NOW)
    assert certificate(HERE[:1], tmp_path, NOW + timedelta(days=300)) == first
    assert stat.S_IMODE(first.key.stat().st_mode) == 0o600
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(first.chain, first.key)


@pytest.mark.parametrize(
    ("addresses", "days"),
    [
        (["192.0.2.8"], 0),  # another network
        (HERE, DAYS - 10),  # it will run out soon
    ],
)
def test_it_is_made_anew_when_it_no_longer_fits(
    tmp_path: Path, addresses: list[str], days: int
) -> None:
    first = certificate(HERE, tmp_path, NOW)
    assert certificate(addresses, tmp_path, NOW + timedelta(days=days)) != first


@pytest.mark.parametrize("name", ["certificate.pem", "key.pem"])
def test_a_damaged_file_is_made_anew(tmp_path: Path, name: str) -> None:
    first = certificate(HERE, tmp_path, NOW)
    (tmp_path / name).write_text("-----BEGIN NOTHING-----")
    assert certificate(HERE, tmp_path, NOW).fingerprint != first.fingerprint


def test_it_names_every_address_and_no_browser_takes_it_for_an_authority(tmp_path: Path) -> None:
    made = x509.load_pem_x509_certificate(certificate(HERE, tmp_path, NOW).chain.read_bytes())
    names = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert [str(name.value) for name in names] == HERE
    assert not made.extensions.get_extension_for_class(x509.BasicConstraints).value.ca


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CertificateError, match="cannot be kept here"):
        certificate(HERE, tmp_path / "file", NOW)

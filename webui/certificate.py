"""A self-made certificate, because browsers give a page the camera only over HTTPS.

Nobody vouches for it, so a browser warns once; the pages say so and show the fingerprint to compare. It is kept in the
user's folder and made anew when it runs out or the machine has another address.
"""

from __future__ import annotations

import hashlib
import ipaddress
import os
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

DAYS = 397
"""Browsers refuse certificates that hold longer (CA/Browser Forum ballot SC31)."""
RENEW_DAYS = 14


class CertificateError(ValueError):
    """The certificate cannot be made or kept; the message says why."""


@dataclass(frozen=True)
class Certificate:
    """Files of a certificate and its key (PEM), and the fingerprint that a browser shows of it (SHA-256)."""

    chain: Path
    key: Path
    fingerprint: str


def default_folder() -> Path:
    """Where the certificate is kept."""
    from platformdirs import user_data_path

    return user_data_path("get-off-my-lawn") / "https"


def certificate(addresses: list[str], folder: Path, now: datetime | None = None) -> Certificate:
    """The kept certificate if it is good for these addresses (names or numbers) today, else a new one.

    Raises CertificateError when it cannot be written.
    """
    now = now or datetime.now(UTC)
    chain, key = folder / "certificate.pem", folder / "key.pem"
    try:
        if not _is_good(chain, key, addresses, now):
            _make(chain, key, addresses, now)
        return Certificate(chain, key, _fingerprint(chain))
    except OSError as error:
        raise CertificateError(
            f"{folder}: the certificate for HTTPS cannot be kept here ({error.strerror}); make the folder writable."
        ) from error


def _is_good(chain: Path, key: Path, addresses: list[str], now: datetime) -> bool:
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    if not (chain.is_file() and key.is_file()):
        return False
    try:
        made = x509.load_pem_x509_certificate(chain.read_bytes())
        kept_key = load_pem_private_key(key.read_bytes(), None)
        names = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        said = {str(name.value) for name in names}
    except (ValueError, x509.ExtensionNotFound):
        return False
    return (
        made.public_key() == kept_key.public_key()
        and made.not_valid_after_utc > now + timedelta(days=RENEW_DAYS)
        and set(addresses) <= said
    )


def _make(chain: Path, key: Path, addresses: list[str], now: datetime) -> None:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        NoEncryption,
        PrivateFormat,
    )
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    secret = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Get Off My Lawn")])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(secret.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))  # a phone's clock may go behind
        .not_valid_after(now + timedelta(days=DAYS - 1))
        .add_extension(x509.SubjectAlternativeName([_name(each) for each in addresses]), False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False)
        .sign(secret, hashes.SHA256())
    )
    chain.parent.mkdir(parents=True, exist_ok=True)
    pem = secret.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    _write(key, pem)
    _write(chain, made.public_bytes(Encoding.PEM))


def _name(address: str) -> Any:
    from cryptography import x509

    try:
        return x509.IPAddress(ipaddress.ip_address(address))
    except ValueError:
        return x509.DNSName(address)


def _write(path: Path, data: bytes) -> None:
    """Write a file that only its owner may read, in one step."""
    part = path.with_suffix(".part")
    part.unlink(missing_ok=True)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
    os.replace(part, path)


def _fingerprint(chain: Path) -> str:
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import Encoding

    made = x509.load_pem_x509_certificate(chain.read_bytes())
    digest = hashlib.sha256(made.public_bytes(Encoding.DER)).hexdigest().upper()
    return ":".join(digest[at : at + 2] for at in range(0, len(digest), 2))

"""Certificates of authorities and servers, made in milliseconds, for tests of TLS."""

from __future__ import annotations

import ipaddress
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Signed:
    """A certificate and its key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def pem(self) -> bytes:
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    def server_context(self, folder: Path) -> ssl.SSLContext:
        """For a server that shows this certificate."""
        file = folder / f"{self.certificate.serial_number}.pem"
        plain = serialization.NoEncryption()
        form = serialization.PrivateFormat.PKCS8
        file.write_bytes(self.pem + self.key.private_bytes(serialization.Encoding.PEM, form, plain))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        return context


def signed(name: str, by: Signed | None = None, address: str = "127.0.0.1", days: int = 1) -> Signed:
    """A server's certificate, or without `by` one that signed itself. Negative `days`: it has expired."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(by.certificate.subject if by else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - 9 * _DAY)
        .not_valid_after(now + days * _DAY)
        .add_extension(x509.BasicConstraints(ca=by is None, path_length=None), critical=True)
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(address))]), critical=False
        )
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    if by is not None:
        authority = x509.AuthorityKeyIdentifier.from_issuer_public_key(by.key.public_key())
        made = made.add_extension(authority, critical=False)
    return Signed(made.sign(by.key if by else key, hashes.SHA256()), key)

"""Photo files in, upright pixels out, and one clear sentence for what cannot be read."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL.Image import Transpose

MAX_PIXELS = 100_000_000
"""Larger pictures are refused before a pixel is decoded: they would need gigabytes."""

FORMATS = ("JPEG", "PNG", "WEBP", "BMP")
EXIF_ORIENTATION = 0x0112
TURNS = {
    2: Transpose.FLIP_LEFT_RIGHT,
    3: Transpose.ROTATE_180,
    4: Transpose.FLIP_TOP_BOTTOM,
    5: Transpose.TRANSPOSE,
    6: Transpose.ROTATE_270,
    7: Transpose.TRANSVERSE,
    8: Transpose.ROTATE_90,
}
"""What makes a picture upright, by EXIF orientation (Exif 2.32, 4.6.4.A; 1 needs nothing)."""

SIGNATURES = (b"\xff\xd8\xff", b"\x89PNG", b"RIFF", b"BM")
HEIF_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")


class PhotoError(ValueError):
    """A photo that cannot be used: one sentence that names the file and says what to do."""


def load_photo(path: Path) -> NDArray[np.uint8]:
    """Return the photo as (H, W, 3) uint8 BGR, upright (EXIF rotation applied), clear parts white.

    Reads JPEG, PNG (of 16 bits the upper eight), WebP, BMP, and HEIC where pillow_heif is there.
    Raises PhotoError when the file is missing, a folder, not permitted, empty, cut off, no photo,
    or over MAX_PIXELS.
    """
    try:
        if path.is_dir():
            raise PhotoError(f"{path}: this is a folder; name the photos in it.")
        if path.exists() and not path.is_file():
            raise PhotoError(f"{path}: this is no ordinary file; save the photo to a file first.")
        with path.open("rb") as file:
            return _load(path, file)
    except FileNotFoundError:
        raise PhotoError(f"{path}: there is no such file; check its name and folder.") from None
    except PermissionError:
        raise PhotoError(
            f"{path}: you have no permission to read this file; change its permissions or copy it."
        ) from None
    except OSError as error:
        raise PhotoError(
            f"{path}: this file cannot be read ({error.strerror}); check the name and the disk."
        ) from error


def decode_photo(data: bytes, name: str) -> NDArray[np.uint8]:
    """Return a photo that came as bytes, as `load_photo` does; name: what a refusal calls it. Raises PhotoError."""
    return _load(name, io.BytesIO(data))


def _load(path: Path | str, file: BinaryIO) -> NDArray[np.uint8]:
    head = file.read(12)
    file.seek(0)
    if not head:
        raise PhotoError(f"{path}: this file is empty; copy the photo again.")
    is_heif = head[4:8] == b"ftyp" and head[8:12] in HEIF_BRANDS
    if is_heif:
        _allow_heif(path)
    try:
        with warnings.catch_warnings():
            # Pillow warns of odd metadata and of sizes that MAX_PIXELS judges below.
            warnings.simplefilter("ignore")
            with Image.open(file, formats=["HEIF"] if is_heif else FORMATS) as image:
                if image.width * image.height > MAX_PIXELS:
                    raise Image.DecompressionBombError
                image.load()
                turn = TURNS.get(_orientation(image))
                rgb = _rgb(image)
    except Image.DecompressionBombError:
        raise PhotoError(
            f"{path}: this picture has more than {MAX_PIXELS // 1_000_000} megapixels; "
            "make it smaller first."
        ) from None
    except MemoryError:
        raise PhotoError(
            f"{path}: there is not enough memory for this picture; make it smaller first."
        ) from None
    except Exception as error:  # Pillow's decoders raise almost any class on damaged data
        if is_heif or head.startswith(SIGNATURES):
            raise PhotoError(
                f"{path}: this picture is damaged or cut off; copy it again from the camera."
            ) from error
        raise PhotoError(
            f"{path}: this is not a photo that can be opened; export it as JPEG or PNG."
        ) from None
    upright = rgb if turn is None else rgb.transpose(turn)
    return np.ascontiguousarray(np.asarray(upright, np.uint8)[:, :, ::-1])


def _allow_heif(path: Path | str) -> None:
    try:
        import pillow_heif
    except ImportError:
        raise PhotoError(
            f"{path}: HEIC photos need one more package; run 'pip install pillow-heif', "
            "or export the photo as JPEG."
        ) from None
    pillow_heif.register_heif_opener()


def _orientation(image: Image.Image) -> int:
    """The EXIF orientation; 1 where the metadata is missing or broken, the pixels being good."""
    try:
        return int(image.getexif().get(EXIF_ORIENTATION, 1))
    except Exception:  # Pillow's metadata parser, too, raises almost any class
        return 1


def _rgb(image: Image.Image) -> Image.Image:
    """The picture in mode RGB, transparency over white."""
    if image.mode.startswith("I"):  # 16-bit grey, of which convert("RGB") would clip most to white
        grey = np.asarray(image.convert("I")) >> 8
        return Image.fromarray(grey.clip(0, 255).astype(np.uint8)).convert("RGB")
    if image.has_transparency_data:
        seen = image.convert("RGBA")
        white = Image.new("RGBA", seen.size, "white")
        return Image.alpha_composite(white, seen).convert("RGB")
    return image.convert("RGB")


__all__ = ["MAX_PIXELS", "PhotoError", "decode_photo", "load_photo"]

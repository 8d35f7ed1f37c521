"""Photos as people have them: every format, every way up, and every way to be broken."""

from __future__ import annotations

import builtins
import os
import struct
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vision.photos import EXIF_ORIENTATION, MAX_PIXELS, PhotoError, load_photo

# Four flat colours, so that lossy formats keep them and every turn or flip is told apart.
CORNERS = {"top left": (220, 30, 30), "top right": (30, 200, 40), "bottom left": (40, 40, 220)}
GREY = (128, 128, 128)
TURNED = {
    # Which corner of the stored picture the upright top left, top right and bottom left come from,
    # written out from the Exif standard's table of "row 0 / column 0 is at ...".
    1: ("top left", "top right", "bottom left"),
    2: ("top right", "top left", "bottom right"),
    3: ("bottom right", "bottom left", "top right"),
    4: ("bottom left", "bottom right", "top left"),
    5: ("top left", "bottom left", "top right"),
    6: ("bottom left", "top left", "bottom right"),
    7: ("bottom right", "top right", "bottom left"),
    8: ("top right", "bottom right", "top left"),
}


def picture(size: tuple[int, int] = (96, 64)) -> Image.Image:
    """A picture with another colour in each corner; the bottom right is grey."""
    width, height = size
    image = Image.new("RGB", size, GREY)
    image.paste(CORNERS["top left"], (0, 0, width // 2, height // 2))
    image.paste(CORNERS["top right"], (width // 2, 0, width, height // 2))
    image.paste(CORNERS["bottom left"], (0, height // 2, width // 2, height))
    return image


def corner(pixels: np.ndarray, name: str) -> tuple[int, ...]:
    """The RGB colour in the middle of a quarter of BGR pixels."""
    height, width = pixels.shape[:2]
    y = height // 4 if name.startswith("top") else height - height // 4
    x = width // 4 if name.endswith("left") else width - width // 4
    return tuple(int(value) for value in pixels[y, x, ::-1])


def assert_is_the_picture(pixels: np.ndarray, tolerance: int = 12) -> None:
    assert pixels.dtype == np.uint8
    assert pixels.flags.c_contiguous
    for name, colour in {**CORNERS, "bottom right": GREY}.items():
        assert np.abs(np.subtract(corner(pixels, name), colour)).max() <= tolerance, name


def refusal(path: Path) -> str:
    """The sentence with which a file is refused: one line that names it and says what to do."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(PhotoError) as caught:
            load_photo(path)
    message = str(caught.value)
    assert str(path) in message
    assert "\n" not in message
    assert ";" in message
    assert message.endswith(".")
    return message


@pytest.mark.parametrize("name", ["a.jpg", "a.png", "a.webp", "a.bmp", "a.heic"])
def test_reads_every_format(tmp_path: Path, name: str) -> None:
    if name.endswith("heic"):
        import pillow_heif

        pillow_heif.from_pillow(picture()).save(tmp_path / name, quality=95)
    else:
        picture().save(tmp_path / name, quality=95)
    pixels = load_photo(tmp_path / name)
    assert pixels.shape == (64, 96, 3)
    assert_is_the_picture(pixels)


@pytest.mark.parametrize("mode", ["P", "CMYK", "YCbCr", "RGBA"])
def test_reads_every_kind_of_colour(tmp_path: Path, mode: str) -> None:
    path = tmp_path / ("a.jpg" if mode in ("CMYK", "YCbCr") else "a.png")
    picture().convert(mode, palette=Image.Palette.ADAPTIVE).save(path)
    assert_is_the_picture(load_photo(path))


@pytest.mark.parametrize("mode", ["1", "L", "LA"])
def test_reads_pictures_without_colour(tmp_path: Path, mode: str) -> None:
    picture().convert(mode).save(tmp_path / "a.png")
    pixels = load_photo(tmp_path / "a.png")
    assert pixels.shape == (64, 96, 3)
    assert (pixels[..., 0] == pixels[..., 1]).all()
    assert (pixels[..., 0] == pixels[..., 2]).all()
    assert len(np.unique(pixels)) > 1


def test_grey_of_sixteen_bits_keeps_its_brightness(tmp_path: Path) -> None:
    levels = np.array([[0, 257 * 60], [257 * 128, 65535]], np.uint16).repeat(8, 0).repeat(8, 1)
    Image.fromarray(levels).save(tmp_path / "deep.png")
    pixels = load_photo(tmp_path / "deep.png")
    assert [int(pixels[y, x, 0]) for y, x in ((0, 0), (0, 15), (15, 0), (15, 15))] == [
        0,
        60,
        128,
        255,
    ]


def test_colour_of_sixteen_bits_keeps_its_colour(tmp_path: Path) -> None:
    row = b"\0" + struct.pack(">3H", 257 * 200, 257 * 100, 257 * 50) * 4
    (tmp_path / "deep.png").write_bytes(png(4, 4, depth=16, data=row * 4))
    assert load_photo(tmp_path / "deep.png")[2, 2].tolist() == [50, 100, 200]


def test_transparency_lies_over_white(tmp_path: Path) -> None:
    image = picture().convert("RGBA")
    image.putalpha(Image.new("L", image.size, 0))
    image.save(tmp_path / "clear.png")
    assert (load_photo(tmp_path / "clear.png") == 255).all()
    palette = picture().convert("P", palette=Image.Palette.ADAPTIVE, colors=8)
    palette.save(tmp_path / "palette.png", transparency=palette.getpixel((0, 0)))
    pixels = load_photo(tmp_path / "palette.png")
    assert corner(pixels, "top left") == (255, 255, 255)
    assert corner(pixels, "top right") == CORNERS["top right"]


@pytest.mark.parametrize("orientation", TURNED)
@pytest.mark.parametrize("name", ["a.jpg", "a.png", "a.webp"])
def test_turns_a_photo_upright(tmp_path: Path, name: str, orientation: int) -> None:
    stored = {**CORNERS, "bottom right": GREY}
    exif = Image.Exif()
    exif[EXIF_ORIENTATION] = orientation
    picture().save(tmp_path / name, exif=exif, quality=95)
    pixels = load_photo(tmp_path / name)
    assert pixels.shape == ((64, 96, 3) if orientation < 5 else (96, 64, 3))
    for place, source in zip(
        ("top left", "top right", "bottom left"), TURNED[orientation], strict=True
    ):
        assert np.abs(np.subtract(corner(pixels, place), stored[source])).max() <= 12, place


def test_a_turned_heic_photo_is_turned_once(tmp_path: Path) -> None:
    import pillow_heif

    exif = Image.Exif()
    exif[EXIF_ORIENTATION] = 6
    pillow_heif.from_pillow(picture()).save(tmp_path / "a.heic", quality=95, exif=exif.tobytes())
    pixels = load_photo(tmp_path / "a.heic")
    assert pixels.shape == (96, 64, 3)
    assert np.abs(np.subtract(corner(pixels, "top right"), CORNERS["top left"])).max() <= 12


@pytest.mark.parametrize(
    "exif", [b"Exif\0\0garbage", b"Exif\0\0II*\0\xff\xff\xff\xff", b"Exif\0\0"]
)
def test_broken_metadata_does_not_lose_a_good_photo(tmp_path: Path, exif: bytes) -> None:
    picture().save(tmp_path / "a.jpg", exif=exif, quality=95)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_is_the_picture(load_photo(tmp_path / "a.jpg"))


def test_an_orientation_that_cannot_be_is_ignored(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[EXIF_ORIENTATION] = 99
    picture().save(tmp_path / "a.jpg", exif=exif, quality=95)
    assert_is_the_picture(load_photo(tmp_path / "a.jpg"))


def test_a_wrong_ending_and_foreign_letters_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "Würfel 骰子 🎲.png"
    picture().save(path, format="JPEG", quality=95)
    assert_is_the_picture(load_photo(path))


def test_says_what_is_wrong_with_a_file_that_is_no_photo(tmp_path: Path) -> None:
    assert "no such file" in refusal(tmp_path / "missing.jpg")
    assert "folder" in refusal(tmp_path)
    (tmp_path / "empty.jpg").touch()
    assert "empty" in refusal(tmp_path / "empty.jpg")
    (tmp_path / "text.jpg").write_text("These are no pixels.\n")
    assert "not a photo" in refusal(tmp_path / "text.jpg")
    (tmp_path / "a.gif").write_bytes(b"GIF89a" + bytes(40))
    assert "JPEG" in refusal(tmp_path / "a.gif")
    assert "cannot be read" in refusal(tmp_path / ("x" * 300))


@pytest.mark.parametrize("name", ["a.jpg", "a.png", "a.webp", "a.bmp", "a.heic"])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.9])
def test_says_when_a_photo_is_cut_off(tmp_path: Path, name: str, share: float) -> None:
    rng = np.random.default_rng(1)
    noisy = Image.fromarray(rng.integers(0, 255, (120, 160, 3), np.uint8))
    if name.endswith("heic"):
        import pillow_heif

        pillow_heif.from_pillow(noisy).save(tmp_path / name)
    else:
        noisy.save(tmp_path / name)
    whole = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(whole[: max(12, int(len(whole) * share))])
    assert "cut off" in refusal(tmp_path / name)


def png(width: int, height: int, depth: int, data: bytes) -> bytes:
    """A PNG file (RGB) written by hand, so that its header may claim any size."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    header = struct.pack(">IIBBBBB", width, height, depth, 2, 0, 0, 0)
    pixels = chunk(b"IDAT", zlib.compress(data))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + pixels + chunk(b"IEND", b"")


@pytest.mark.parametrize("side", [10_001, 14_000, 60_000])
def test_refuses_a_huge_picture_before_decoding_it(tmp_path: Path, side: int) -> None:
    # Three sizes, because Pillow itself is silent, warns or fails at them.
    assert side * side > MAX_PIXELS
    (tmp_path / "huge.png").write_bytes(png(side, side, 8, b""))
    assert "100 megapixels" in refusal(tmp_path / "huge.png")


def test_a_photo_below_the_limit_is_read_without_pillows_own_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Pillow warns above its own limit, below ours; lowered here, so that the test is quick.
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 96 * 64 - 1)
    picture().save(tmp_path / "a.png")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_is_the_picture(load_photo(tmp_path / "a.png"))


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows keeps permissions another way")
def test_says_when_a_file_may_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "private.jpg"
    picture().save(path)
    load_photo(path)
    path.chmod(0)
    with someone_else():
        assert "permission" in refusal(path)


@contextmanager
def someone_else() -> Iterator[None]:
    """As a user without root's rights, who may read everything."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no named pipes of this kind")
def test_a_pipe_is_refused_instead_of_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    assert "no ordinary file" in refusal(tmp_path / "pipe.jpg")


def test_says_what_to_install_for_heic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pillow_heif

    pillow_heif.from_pillow(picture()).save(tmp_path / "a.heic")
    real_import = builtins.__import__

    def without_heif(name: str, *rest: object, **more: object) -> object:
        if name == "pillow_heif":
            raise ImportError(name)
        return real_import(name, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without_heif)
    message = refusal(tmp_path / "a.heic")
    assert "pip install pillow-heif" in message
    assert "JPEG" in message

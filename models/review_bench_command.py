"""`lawn review-bench`: the review measured on made recordings."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import click


@click.command("review-bench")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=Path("runs/recordings"),
    show_default=True,
    help="The recordings; those that are missing are made (hours for all).",
)
@click.option(
    "--keep",
    type=click.Path(path_type=Path),
    help="Keep the reviews here, and go on with them; default: they are thrown away.",
)
@click.option("--only", default="", metavar="NAME,...", help="Only these recordings.")
@click.option("--quick", is_flag=True, help="Only the first recording.")
@click.option("--made-only", is_flag=True, help="Leave out recordings that are not there.")
@click.option(
    "--explain-anew", is_flag=True, help="Reviews in --keep: from their views, without the films."
)
@click.option("--out", type=click.Path(path_type=Path), help="Write the table into this page.")
def review_bench(
    folder: Path,
    keep: Path | None,
    only: str,
    quick: bool,
    made_only: bool,
    explain_anew: bool,
    out: Path | None,
) -> str:
    """Review made recordings and compare with the truth."""
    from models.review_bench import QUICK, RECORDINGS, Bench, around_table, report, write_table

    names = QUICK if quick else tuple(filter(None, only.split(",")))
    known = {each.name for each in RECORDINGS}
    strangers = [name for name in names if name not in known]
    if strangers:
        raise click.BadParameter(
            f"There is no recording {strangers[0]}; take {', '.join(sorted(known))}."
        )
    if out is not None:
        around_table(out)  # at once, not after ten minutes of reviews
    with TemporaryDirectory() as scratch:
        bench = Bench(folder, keep or Path(scratch), names, not made_only, explain_anew)
        results = []
        for result in bench.run():
            click.echo(report([result]), err=True)
            results.append(result)
    if out is not None:
        write_table(out, results, bench.left_out)
    return report(results)

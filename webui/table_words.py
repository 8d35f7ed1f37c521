"""What the state of the live table says in sentences, in the language of a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webui.catalogue import Speaker
from webui.said import said


def table_in_words(table: Mapping[str, Any], says: Speaker) -> dict[str, Any]:
    """Those entries of webui.live.TableState.data that hold sentences, said in the speaker's language."""
    score = table["score"]
    return {
        **{
            name: table[name] and {**table[name], "says": said(says, table[name]["says"])}
            for name in ("source", "table", "camera")
        },
        "problem": table["problem"] and said(says, table["problem"]),
        "notices": [said(says, each) for each in table["notices"]],
        "order": [said(says, each) for each in table["order"]],
        "score": score
        and {
            **score,
            "colours": [
                {**each, "problem": each["problem"] and said(says, each["problem"])}
                for each in score["colours"]
            ],
        },
    }

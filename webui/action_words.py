"""Actions as players say them, in the page's language."""

from __future__ import annotations

from webui.catalogue import Speaker


def action_words(says: Speaker, notation: str) -> str:
    """An action ("boundary low", "rolled 3 5") in words; what is none stays as it is."""
    verb, _, rest = notation.partition(" ")
    face, _, side = rest.partition(" ")
    key = {"boundary": f"said.do-{rest}", "place": f"said.do-{side}"}.get(verb, f"said.do-{verb}")
    if verb == "claim" and says.has(f"bonus.{rest}"):
        return says.t("said.do-claim", category=says.t(f"bonus.{rest}"))
    return says.t(key, faces=rest, face=face) if says.has(key) else notation

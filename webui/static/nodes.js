// Finding, making and changing the nodes of a page.

const HTML = "http://www.w3.org/1999/xhtml";
const SVG = "http://www.w3.org/2000/svg";

export function at(id) {
  return document.getElementById(id);
}

export function all(css, root = document) {
  return [...root.querySelectorAll(css)];
}

// A node by its name and classes, as in "span.name": first its attributes, if it has any, then what it holds.
// An attribute that is null, and a child that is null, false or "", is left out.
export function tag(name, ...parts) {
  return make(HTML, name, parts);
}

export function svg(name, ...parts) {
  return make(SVG, name, parts);
}

function make(space, name, parts) {
  const [kind, ...classes] = name.split(".");
  const made = document.createElementNS(space, kind);
  if (classes.length > 0) made.setAttribute("class", classes.join(" "));
  return fill(made, ...parts);
}

export function fill(made, ...parts) {
  const attributes = parts[0]?.constructor === Object ? parts.shift() : {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...parts.filter((each) => each || each === 0));
  return made;
}

// Attributes of what is read out as a whole, and of what is not read out at all.
export function named(role, label) {
  return { role, "aria-label": label };
}

export const SILENT = { "aria-hidden": "true" };

export function button(held, act, kind = "", attributes = {}) {
  return hear(tag("button", { type: "button", class: kind, ...attributes }, ...[held].flat()), "click", act);
}

// Calls `act` with each of those events, named with spaces between them. Not every page has every node.
export function hear(node, events, act) {
  for (const event of events.split(" ")) node?.addEventListener(event, act);
  return node;
}

export function onClick(id, act) {
  hear(at(id), "click", act);
}

// What is shown as long as somebody points at a node, by mouse, finger or keyboard.
export function pointing(node, show, hide) {
  return hear(hear(node, "pointerenter focusin", show), "pointerleave focusout", hide);
}

export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// What has the focus, if it lies in that node.
export function focusIn(root) {
  const { activeElement: held } = document;
  return root.contains(held) ? held : null;
}

// A sentence in a node of its own, which is hidden while there is none.
export function tell(node, text) {
  node.hidden = !text;
  setText(node, text || "");
}

export function press(switched, on) {
  switched.setAttribute("aria-pressed", String(on));
}

// A table of data in a frame that scrolls. heads: its column heads. rows: each a list of cells, the first heads the row.
export function table(heads, rows, kind = "") {
  const line = (cells) => tag("tr", ...cells);
  const cell = (held, index) => tag(index ? "td" : "th", { scope: index ? null : "row" }, ...[held].flat());
  const head = tag("thead", line(heads.map((held) => tag("th", { scope: "col" }, held))));
  const body = tag("tbody", ...rows.map((cells) => line(cells.map(cell))));
  return tag("div.scroll", tag("table", { class: `data ${kind}` }, head, body));
}

// What says whether something is new: other than what it was asked about last.
export function noticing() {
  let known = "";
  return (...what) => known !== (known = JSON.stringify(what));
}

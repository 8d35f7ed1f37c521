// Where the rules page has a rule: "4:3.B" stands at #rule-4-3-B.

export function ruleLink(number) {
  return `/rules#rule-${number.replace(/[:.]/g, "-")}`;
}

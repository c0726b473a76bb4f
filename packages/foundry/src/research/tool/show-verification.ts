import type { Envelope } from "@foundry-mcp/contract";
import { type Canvas, toCount, toVisible } from "@foundry-mcp/toolkit/cli";
import type { Verification } from "./verify-digest.ts";

/** What people see of a check of quotes, also of one that found something; undefined for what is none. */
export function showVerification({ data }: Envelope, { colors }: Canvas): string | undefined {
  if (!("snippets" in data)) return undefined;
  const { verified, checked, snippets, problems } = data as unknown as Verification;
  const wrong = snippets.filter((each) => !each.verified);
  const lines = [
    verified
      ? colors.green(`${toCount(checked, "quote")} checked: all are in the source`)
      : colors.red("Not verified"),
    ...wrong.map(({ locator, source_text_hash, reason }) => {
      const why = reason === undefined ? "not there" : "not checked: the text is not kept";
      return `${colors.red("✗")} ${toVisible(locator)} of ${source_text_hash}: ${why}`;
    }),
    ...problems.map((problem) => `${colors.red("✗")} ${toVisible(problem)}`),
  ];
  return `${lines.join("\n")}\n`;
}

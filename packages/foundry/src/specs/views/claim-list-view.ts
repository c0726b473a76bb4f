import type { UnknownRecord } from "@foundry-mcp/contract";
import {
  type Canvas,
  type Line,
  line,
  recordsOf,
  type Span,
  stack,
  styled,
  table,
  textOf,
  timeLeft,
} from "@foundry-mcp/toolkit/terminal";
import { countLine, groupBy, named } from "./parts.ts";

/** Shows claims by spec: the task, the holder and the time that is left. */
export function claimListView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const claims = recordsOf(data["claims"]);
  if (claims.length === 0) return [line("No claims.")];
  const groups = groupBy(claims, ({ spec_id }) => textOf(spec_id));
  return stack(
    ...[...groups].map(([spec, own]) => [line(styled("bold", spec)), ...claimRows(own, canvas)]),
    countLine(claims.length, data, "claims"),
  );
}

function claimRows(claims: readonly UnknownRecord[], canvas: Canvas): readonly Line[] {
  const factsOf = (claim: UnknownRecord) =>
    `${textOf(claim["holder"])}, ${timeLeft(textOf(claim["lease_until"]), canvas)}`;
  const rows = claims.map((claim): (readonly Span[])[] => [
    [styled("bold", textOf(claim["task_id"]))],
    [textOf(claim["title"])],
    [styled("dim", factsOf(claim))],
  ]);
  const columns = [{ head: "" }, { head: "", isProse: true }, { head: "" }];
  const lines = table(columns, rows, canvas, { indent: 2, hasHeads: false });
  if (lines !== undefined) return lines;
  return claims.flatMap((claim) => [
    { lead: ["  "], text: named(claim["task_id"], claim["title"]) },
    { lead: ["    "], text: [styled("dim", factsOf(claim))] },
  ]);
}

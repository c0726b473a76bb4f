import type { UnknownRecord } from "@foundry-mcp/contract";
import {
  type Canvas,
  type Line,
  line,
  recordsOf,
  section,
  stack,
  styled,
  textOf,
} from "@foundry-mcp/toolkit/terminal";
import { countLine, groupBy } from "./parts.ts";

/**
 * Shows search hits, grouped by spec. For each hit, the view shows the place where the words were found and
 * the text around them.
 */
export function searchView(data: UnknownRecord, _canvas: Canvas): readonly Line[] {
  const hits = recordsOf(data["hits"]);
  if (hits.length === 0) return [line("Nothing was found.")];
  const bySpec = groupBy(hits, ({ spec_id }) => textOf(spec_id));
  return stack(
    ...[...bySpec].map(([id, own]) =>
      section(
        id,
        own.map((hit): Line => {
          const task = textOf(hit["task_id"]);
          return {
            text: [
              ...(task === "" ? [] : [styled("green", task), " "]),
              styled("dim", `${textOf(hit["field"])}: `),
              textOf(hit["snippet"]),
            ],
            hang: ["  "],
          };
        }),
      ),
    ),
    countLine(hits.length, data, "hits"),
  );
}

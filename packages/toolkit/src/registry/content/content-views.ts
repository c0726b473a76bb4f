import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import { parseJsonText } from "@foundry-mcp/contract/input";
import type { Canvas } from "../../define/action.ts";
import { age, timeLeft } from "../../terminal/age.ts";
import { defaultView } from "../../terminal/default-view.ts";
import { type Field, fields } from "../../terminal/fields.ts";
import { type Line, line, prose, styled } from "../../terminal/line.ts";
import { list, stack } from "../../terminal/list.ts";
import { listOf, recordsOf, textOf, textsOf } from "../../terminal/read-payload.ts";
import { toWords } from "../../terminal/words.ts";

/** Shows a list of stored answers with id, origin, size and age. */
export function contentListView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const entries = recordsOf(data["entries"]);
  if (entries.length === 0) return [line("Nothing is stored.")];
  return stack(
    ...entries.map((entry) => [
      line(styled("bold", textOf(entry["archive_id"]))),
      ...entryFields(entry, canvas),
    ]),
  );
}

/** Shows one stored answer. */
export function contentStatView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  return [line(styled("bold", textOf(data["archive_id"]))), ...entryFields(data, canvas)];
}

function entryFields(entry: UnknownRecord, canvas: Canvas): readonly Line[] {
  const origin = [textOf(entry["tool"]), textOf(entry["action"])].filter((text) => text !== "").join(" ");
  const rows: readonly Field[] = [
    ["  From", origin],
    ["  Size", textOf(entry["size"]) === "" ? "" : `${textOf(entry["size"])} bytes`],
    ["  Stored", age(textOf(entry["created_at"]), canvas)],
    ["  Kept", timeLeft(textOf(entry["expires_at"]), canvas)],
    ["  Hash", textOf(entry["hash"])],
    ["  Left out", textsOf(entry["content_ids"]).join(", ")],
  ];
  return fields(rows, canvas);
}

/** Shows stored content itself: its text, or the items of a list. */
export function contentView(data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const text = textOf(data["text"]);
  const items = listOf(data["items"]);
  const parsed = data["content_type"] === "application/json" ? parseObject(text) : undefined;
  const content =
    text !== ""
      ? parsed === undefined
        ? prose(text)
        : defaultView(parsed, canvas)
      : items.some((item) => toWords(item) === undefined)
        ? defaultView({ items }, canvas)
        : list(
            items.map((item) => toWords(item) ?? ""),
            canvas,
          );
  return stack(content, [
    line(styled("dim", `${textOf(data["archive_id"])}, ${textOf(data["size"])} bytes`)),
  ]);
}

/**
 * Parses the text of a complete answer; returns undefined for a single page of an answer, which is not JSON and is
 * shown as text.
 */
function parseObject(text: string): UnknownRecord | undefined {
  try {
    const value = parseJsonText(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

import type { Envelope, UnknownRecord } from "@foundry-mcp/contract";
import type { Canvas } from "../define/action.ts";
import { type Line, render } from "./line.ts";

/**
 * A function that converts a payload to lines for people. A view must handle payloads whose members are
 * missing or have another type.
 */
export type View = (data: UnknownRecord, canvas: Canvas) => readonly Line[];

/** Returns the text of a view. */
export function showView(view: View, data: UnknownRecord, canvas: Canvas): string {
  return render(view(data, canvas), canvas);
}

/**
 * Creates the `show` of an action's `cli` from a view. The view is loaded by a function, so that a bundle
 * evaluates its module only when an answer is shown. The default format is used for answers that only report
 * that nothing changed, for payloads for which the view returns no lines, and, unless `failures` is true, for
 * failures.
 */
export function viewOf(
  load: () => View,
  { failures = false }: { readonly failures?: boolean } = {},
): (envelope: Pick<Envelope, "success"> & { readonly data: object }, canvas: Canvas) => string | undefined {
  return ({ success, data }, canvas) => {
    const payload = data as UnknownRecord;
    if ((!success && !failures) || payload["unchanged"] === true) return undefined;
    const lines = load()(payload, canvas);
    return lines.length === 0 ? undefined : render(lines, canvas);
  };
}

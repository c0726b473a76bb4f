import type { Meta } from "../envelope/envelope.ts";
import { orderMeta } from "../envelope/order-meta.ts";
import { isRecord, type UnknownRecord } from "../json/json-value.ts";
import { warning } from "../warnings/warnings.ts";

/** Keeps in `meta.nonconforming`, with a warning, what an answer held in the wrong place or form: nothing is thrown away. */
export function keepNonconforming(meta: Meta, aside: UnknownRecord): Meta {
  const names = Object.keys(aside);
  if (names.length === 0) return orderMeta(meta);
  const detail = warning(
    "UPSTREAM_NORMALIZED",
    `Not part of the envelope, kept in meta.nonconforming: ${names.join(", ")}`,
  );
  return orderMeta({
    ...meta,
    warnings: [...(meta.warnings ?? []), detail.message],
    warning_details: [...(meta.warning_details ?? []), detail],
    nonconforming: { ...(isRecord(meta["nonconforming"]) ? meta["nonconforming"] : {}), ...aside },
  });
}

/** A valid envelope of a success. */
export const good = { success: true, data: {}, error: null, meta: { version: "response-v2" } };

/** A valid envelope of a failure. */
export const failed = {
  success: false,
  data: { error_code: "X", error_type: "internal", remediation: "Wait." },
  error: "no",
  meta: { version: "response-v2" },
};
const withMeta = (meta: object) => ({ ...good, meta: { version: "response-v2", ...meta } });

/** Invalid envelopes, one per way to violate a rule: the rule, the JSON path of the violation, the envelope. */
export const faults: [rule: string, path: string, value: unknown][] = [
  ["E1", "$", null],
  ["E1", "$", []],
  ["E1", "$", "text"],
  ["E1", "$.meta", { success: true, data: {}, error: null }],
  ["E1", "$.extra", { ...good, extra: 1 }],
  ["E2", "$.success", { ...good, success: "true" }],
  ["E2", "$.error", { ...good, error: "but it failed" }],
  ["E2", "$.error", { ...failed, error: null }],
  ["E2", "$.error", { ...failed, error: "" }],
  ["E2", "$.error", { ...failed, error: "   " }],
  ["E3", "$.data", { ...good, data: [] }],
  ["E3", "$.data", { ...good, data: null }],
  ["E4", "$.meta.version", { ...good, meta: {} }],
  ["E4", "$.meta.version", { ...good, meta: { version: "response-v1" } }],
  ["E5", "$.meta", { ...good, meta: [] }],
  ["E5", "$.meta.request_id", withMeta({ request_id: "a b" })],
  ["E5", "$.meta.request_id", withMeta({ request_id: "x".repeat(129) })],
  ["E5", "$.meta.warnings[1]", withMeta({ warnings: ["a", 1] })],
  ["E5", "$.meta.warning_details[0].message", withMeta({ warning_details: [{ code: "X" }] })],
  [
    "E5",
    "$.meta.warning_details[0].severity",
    withMeta({ warning_details: [{ message: "m", severity: "fatal" }] }),
  ],
  ["E5", "$.meta.pagination.has_more", withMeta({ pagination: { cursor: null, page_size: 1 } })],
  [
    "E5",
    "$.meta.pagination.total_count",
    withMeta({ pagination: { cursor: null, has_more: false, page_size: 1, total_count: -1 } }),
  ],
  [
    "E5",
    "$.meta.rate_limit.reset_at",
    withMeta({ rate_limit: { limit: 1, remaining: 1, reset_at: "soon" } }),
  ],
  ["E5", "$.meta.telemetry.duration_ms", withMeta({ telemetry: { duration_ms: -1 } })],
  [
    "E5",
    "$.meta.content_fidelity",
    withMeta({ content_fidelity_schema_version: "1.0", content_fidelity: "most" }),
  ],
  ["E5", "$.meta.content_archive_hashes.a", withMeta({ content_archive_hashes: { a: "md5:1" } })],
  ["E6", "$.meta.warnings", withMeta({ warnings: [] })],
  ["E6", "$.meta.request_id", withMeta({ request_id: null })],
  ["E7", "$.data._meta", { ...good, data: { _meta: {} } }],
  ["E7", "$.data._warnings", { ...good, data: { _warnings: [] } }],
  ["E8", "$", { data: {}, success: true, error: null, meta: { version: "response-v2" } }],
  ["E8", "$.meta", { ...good, meta: { request_id: "r", version: "response-v2" } }],
  ["C1", "$.meta", withMeta({ content_fidelity: "partial" })],
  ["C1", "$.meta", withMeta({ dropped_content_ids: ["a"] })],
  ["F1", "$.data.error_code", { ...failed, data: { ...failed.data, error_code: 5 } }],
  ["F1", "$.data.details", { ...failed, data: { ...failed.data, details: [] } }],
  ["F2", "$.data", { ...failed, data: { error_code: "X", error_type: "internal" } }],
  ["F2", "$.data.error_code", { ...failed, data: { ...failed.data, error_code: "not_found" } }],
];

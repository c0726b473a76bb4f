/**
 * The JSON examples of the five documents that define the contract, copied verbatim, with document number and
 * line. The documents themselves are not part of this repository.
 *
 * The list includes blocks with `...`, `?`, comments, trailing commas or unions. The list also includes
 * object literals in running text, even the empty `{}`. Python code is not listed: the dicts that contain
 * variables (document 000, lines 279, 326 and 335) and the default argument `{}` (document 001, line 210).
 */

/** One JSON block as printed in a document. */
export interface DocumentBlock {
  readonly document: "000" | "001" | "002" | "003" | "004";
  /** The number of the line on which the block starts, counted from 1. */
  readonly line: number;
  /** A short name for the content of the block. */
  readonly name: string;
  /** The kind of the block: "envelope" for a complete and valid envelope, "fragment" for any other block. */
  readonly kind: "envelope" | "fragment";
  /** The shape of the value; for a fragment, the shape of the completed value. */
  readonly shape: "response-v2" | "envelope-v1" | "digest" | "snippet" | "capabilities";
  /** The text of the block, verbatim. */
  readonly text: string;
  /** The position of the block in `completed`; absent if the block is the whole value. */
  readonly at?: readonly string[];
  /**
   * The fragment, completed to a valid value of its shape. Absent for an envelope, because its text is already
   * valid.
   */
  readonly completed?: unknown;
}

/** The number of blocks in each document. */
export const blockCounts: Readonly<Record<DocumentBlock["document"], number>> = {
  "000": 13,
  "001": 13,
  "002": 5,
  "003": 17,
  "004": 2,
};

/** Creates the rows of a full page, for blocks that print only the number of rows. */
function page<Row>(size: number, row: (ordinal: string) => Row): Row[] {
  return Array.from({ length: size }, (_, index) => row(String(index + 1).padStart(3, "0")));
}

const taskRow = (ordinal: string) => ({
  task_id: `task-${ordinal}`,
  description: `Implement step ${ordinal}`,
  status: "pending",
});

const specRow = (ordinal: string) => ({
  id: `my-feature-2025-01-15-${ordinal}`,
  title: `My Feature ${ordinal}`,
  status: "active",
});

const contractDocument: readonly DocumentBlock[] = [
  {
    document: "000",
    line: 3,
    name: "template of the envelope with every meta key",
    kind: "fragment",
    shape: "response-v2",
    text: `{
"success": true,
"data": { ... },
"error": null,
"meta": {
"version": "response-v2",
"request_id": "req_abc123"?,
"warnings": ["..."]?,
"warning_details": [{ "code": "...", "severity": "...", "message": "..." }]?,
"pagination": { ... }?,
"rate_limit": { ... }?,
"telemetry": { ... }?,
"content_fidelity": "full" | "partial" | "summary" | "reference_only"?,
"content_fidelity_schema_version": "1.0"?,
"dropped_content_ids": ["..."]?,
"content_archive_hashes": { ... }?
}
}`,
    completed: {
      success: true,
      data: { findings: [{ id: "finding-001", title: "Primary result" }], total_findings: 2 },
      error: null,
      meta: {
        version: "response-v2",
        request_id: "req_abc123",
        warnings: ["1 finding omitted due to token limits"],
        warning_details: [
          {
            code: "CONTENT_TRUNCATED",
            severity: "info",
            message: "1 finding omitted due to token limits",
            context: { dropped_count: 1, total_count: 2, reason: "token_limit_exceeded" },
          },
        ],
        pagination: { cursor: null, has_more: false, total_count: 2, page_size: 20 },
        rate_limit: { limit: 100, remaining: 95, reset_at: "2025-12-04T12:00:00Z" },
        telemetry: { duration_ms: 45 },
        content_fidelity: "partial",
        content_fidelity_schema_version: "1.0",
        dropped_content_ids: ["finding-002"],
        content_archive_hashes: {
          "archive-001": "sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
        },
      },
    },
  },
  {
    document: "000",
    line: 20,
    name: "data when no payload exists",
    kind: "fragment",
    shape: "response-v2",
    text: "{}",
    at: ["data"],
    completed: { success: true, data: {}, error: null, meta: { version: "response-v2" } },
  },
  {
    document: "000",
    line: 20,
    name: "the least that meta includes",
    kind: "fragment",
    shape: "response-v2",
    text: '{"version": "response-v2"}',
    at: ["meta"],
    completed: { success: true, data: {}, error: null, meta: { version: "response-v2" } },
  },
  {
    document: "000",
    line: 52,
    name: "payloads nested under named keys",
    kind: "fragment",
    shape: "response-v2",
    text: '{ "spec": {...}, "tasks": [...] }',
    at: ["data"],
    completed: {
      success: true,
      data: {
        spec: { id: "my-spec", title: "My Spec" },
        tasks: [{ task_id: "task-001", description: "Implement login", status: "pending" }],
      },
      error: null,
      meta: { version: "response-v2" },
    },
  },
  {
    document: "000",
    line: 54,
    name: "content fidelity metadata",
    kind: "fragment",
    shape: "response-v2",
    text: `{
"meta": {
"version": "response-v2",
"content_fidelity_schema_version": "1.0",
"content_fidelity": "full" | "partial" | "summary" | "reference_only",
"dropped_content_ids": ["finding-003", "source-015"],
"content_archive_hashes": {
"archive-001": "sha256:abc123..."
}
}
}`,
    completed: {
      success: true,
      data: { findings: [{ id: "finding-001", title: "Primary result" }], total_findings: 2 },
      error: null,
      meta: {
        version: "response-v2",
        content_fidelity_schema_version: "1.0",
        content_fidelity: "partial",
        dropped_content_ids: ["finding-003", "source-015"],
        content_archive_hashes: {
          "archive-001": "sha256:abc123b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7",
        },
      },
    },
  },
  {
    document: "000",
    line: 85,
    name: "partial fidelity with dropped findings",
    kind: "envelope",
    shape: "response-v2",
    text: `{
"success": true,
"data": {
"research_id": "research-001",
"findings": [
{"id": "finding-001", "title": "Primary result", "content": "..."},
{"id": "finding-002", "title": "Secondary result", "content": "..."}
],
"total_findings": 5
},
"error": null,
"meta": {
"version": "response-v2",
"content_fidelity_schema_version": "1.0",
"content_fidelity": "partial",
"dropped_content_ids": ["finding-003", "finding-004", "finding-005"],
"content_archive_hashes": {
"findings-archive": "sha256:e3b0c44298fc1c149afbf4c8996fb924..."
},
"warnings": ["3 findings omitted due to token limits"]
}
}`,
  },
  {
    document: "000",
    line: 111,
    name: "structured warning beside its message",
    kind: "fragment",
    shape: "response-v2",
    text: `{
"meta": {
"version": "response-v2",
"warnings": ["3 findings omitted due to token limits"],
"warning_details": [
{
"code": "CONTENT_TRUNCATED",
"severity": "info",
"message": "3 findings omitted due to token limits",
"context": {
"dropped_count": 3,
"total_count": 5,
"reason": "token_limit_exceeded"
}
}
]
}
}`,
    completed: {
      success: true,
      data: {
        findings: [
          { id: "finding-001", title: "Primary result" },
          { id: "finding-002", title: "Secondary result" },
        ],
        total_findings: 5,
      },
      error: null,
      meta: {
        version: "response-v2",
        warnings: ["3 findings omitted due to token limits"],
        warning_details: [
          {
            code: "CONTENT_TRUNCATED",
            severity: "info",
            message: "3 findings omitted due to token limits",
            context: { dropped_count: 3, total_count: 5, reason: "token_limit_exceeded" },
          },
        ],
      },
    },
  },
  {
    document: "000",
    line: 160,
    name: "two structured warnings on a success",
    kind: "fragment",
    shape: "response-v2",
    text: `{
"success": true,
"data": {
"results": [...]
},
"error": null,
"meta": {
"version": "response-v2",
"warnings": [
"3 sources failed to respond",
"Cache data is 2 hours old"
],
"warning_details": [
{
"code": "PARTIAL_FAILURE",
"severity": "warning",
"message": "3 sources failed to respond",
"context": {
"failed_sources": ["source-a", "source-b", "source-c"],
"successful_sources": 7,
"total_sources": 10
}
},
{
"code": "STALE_CACHE",
"severity": "warning",
"message": "Cache data is 2 hours old",
"context": {
"cache_age_seconds": 7200,
"max_freshness_seconds": 3600
}
}
]
}
}`,
    completed: {
      success: true,
      data: {
        results: [
          { source: "source-d", title: "First result" },
          { source: "source-e", title: "Second result" },
        ],
      },
      error: null,
      meta: {
        version: "response-v2",
        warnings: ["3 sources failed to respond", "Cache data is 2 hours old"],
        warning_details: [
          {
            code: "PARTIAL_FAILURE",
            severity: "warning",
            message: "3 sources failed to respond",
            context: {
              failed_sources: ["source-a", "source-b", "source-c"],
              successful_sources: 7,
              total_sources: 10,
            },
          },
          {
            code: "STALE_CACHE",
            severity: "warning",
            message: "Cache data is 2 hours old",
            context: { cache_age_seconds: 7200, max_freshness_seconds: 3600 },
          },
        ],
      },
    },
  },
  {
    document: "000",
    line: 225,
    name: "validation error",
    kind: "envelope",
    shape: "response-v2",
    text: `{
"success": false,
"data": {
"error_code": "VALIDATION_ERROR",
"error_type": "validation",
"remediation": "Provide a non-empty spec_id parameter",
"details": {
"field": "spec_id",
"constraint": "required",
"received": null
}
},
"error": "Validation failed: spec_id is required",
"meta": {
"version": "response-v2",
"request_id": "req_abc123"
}
}`,
  },
  {
    document: "000",
    line: 289,
    name: "details given to error_response",
    kind: "fragment",
    shape: "response-v2",
    text: '{"field": "spec_id", "constraint": "required"}',
    at: ["data", "details"],
    completed: {
      success: false,
      data: {
        error_code: "MISSING_REQUIRED",
        error_type: "validation",
        remediation: "Provide a non-empty spec_id parameter",
        details: { field: "spec_id", constraint: "required" },
      },
      error: "Validation failed: spec_id is required",
      meta: { version: "response-v2", request_id: "req_abc123" },
    },
  },
  {
    document: "000",
    line: 333,
    name: "data of a rate limit error given to error_response",
    kind: "fragment",
    shape: "response-v2",
    text: '{"retry_after_seconds": 45}',
    at: ["data"],
    completed: {
      success: false,
      data: {
        error_code: "RATE_LIMIT_EXCEEDED",
        error_type: "rate_limit",
        remediation: "Wait 45 seconds before retrying. Consider batching requests.",
        retry_after_seconds: 45,
      },
      error: "Rate limit exceeded: 100 requests per minute",
      meta: {
        version: "response-v2",
        rate_limit: { limit: 100, remaining: 0, reset_at: "2025-12-04T12:00:00Z" },
      },
    },
  },
  {
    document: "000",
    line: 353,
    name: "digest payload",
    kind: "fragment",
    shape: "digest",
    text: `{
"version": "1.0",
"content_type": "digest/v1",
"query_hash": "ab12cd34",
"summary": "Condensed summary of the source content...",
"key_points": [
"First key insight extracted from the document",
"Second key insight with supporting detail"
],
"evidence_snippets": [
{
"text": "Exact quote from the source document...",
"locator": "char:1500-1650",
"relevance_score": 0.85
}
],
"original_chars": 25000,
"digest_chars": 2500,
"compression_ratio": 0.10,
"source_text_hash": "sha256:abc123def456..."
}`,
    completed: {
      version: "1.0",
      content_type: "digest/v1",
      query_hash: "ab12cd34",
      summary: "Condensed summary of the source content...",
      key_points: [
        "First key insight extracted from the document",
        "Second key insight with supporting detail",
      ],
      evidence_snippets: [
        {
          text: "Exact quote from the source document...",
          locator: "char:1500-1650",
          relevance_score: 0.85,
        },
      ],
      original_chars: 25000,
      digest_chars: 2500,
      compression_ratio: 0.1,
      source_text_hash: "sha256:abc123def456c68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
    },
  },
  {
    document: "000",
    line: 399,
    name: "evidence snippet",
    kind: "fragment",
    shape: "snippet",
    text: `{
"text": "Exact substring from the canonical source text...",
"locator": "char:1500-1650",
"relevance_score": 0.85
}`,
    completed: {
      text: "Exact substring from the canonical source text...",
      locator: "char:1500-1650",
      relevance_score: 0.85,
    },
  },
];

const envelopeGuide: readonly DocumentBlock[] = [
  {
    document: "001",
    line: 5,
    name: "template of the envelope",
    kind: "fragment",
    shape: "response-v2",
    text: `{
"success": true,
"data": { ... },
"error": null,
"meta": {
"version": "response-v2",
"request_id": "req_abc123",
"warnings": [],
"pagination": { ... },
"telemetry": { ... }
}
}`,
    completed: {
      success: true,
      data: { specs: [{ id: "my-spec", title: "My Spec" }], total_count: 1 },
      error: null,
      meta: {
        version: "response-v2",
        request_id: "req_abc123",
        warnings: [],
        pagination: { cursor: null, has_more: false, total_count: 1, page_size: 50 },
        telemetry: { duration_ms: 125.4 },
      },
    },
  },
  {
    document: "001",
    line: 22,
    name: "data when there is none",
    kind: "fragment",
    shape: "response-v2",
    text: "{}",
    at: ["data"],
    completed: { success: true, data: {}, error: null, meta: { version: "response-v2" } },
  },
  {
    document: "001",
    line: 29,
    name: "success about one spec",
    kind: "envelope",
    shape: "response-v2",
    text: `{
"success": true,
"data": {
"spec_id": "my-feature-2025-01-15-001",
"title": "My Feature",
"status": "active",
"progress": 0.45
},
"error": null,
"meta": {
"version": "response-v2",
"request_id": "req_abc123"
}
}`,
  },
  {
    document: "001",
    line: 47,
    name: "empty list of specs",
    kind: "envelope",
    shape: "response-v2",
    text: `{
"success": true,
"data": {
"specs": [],
"total_count": 0
},
"error": null,
"meta": { "version": "response-v2" }
}`,
  },
  {
    document: "001",
    line: 61,
    name: "spec not found",
    kind: "envelope",
    shape: "response-v2",
    text: `{
"success": false,
"data": {
"error_code": "SPEC_NOT_FOUND",
"error_type": "not_found",
"remediation": "Verify the spec ID using 'specs list'",
"details": {
"spec_id": "nonexistent-spec"
}
},
"error": "Specification not found: nonexistent-spec",
"meta": {
"version": "response-v2",
"request_id": "req_xyz789"
}
}`,
  },
  {
    document: "001",
    line: 93,
    name: "request id",
    kind: "fragment",
    shape: "response-v2",
    text: `{
"meta": {
"request_id": "req_abc123"
}
}`,
    completed: {
      success: true,
      data: {},
      error: null,
      meta: { version: "response-v2", request_id: "req_abc123" },
    },
  },
  {
    document: "001",
    line: 102,
    name: "warnings on a success",
    kind: "fragment",
    shape: "response-v2",
    text: `{
"success": true,
"data": { "result": "ok" },
"meta": {
"warnings": [
"Deprecated parameter 'old_param' used, use 'new_param' instead",
"Some optional features unavailable"
]
}
}`,
    completed: {
      success: true,
      data: { result: "ok" },
      error: null,
      meta: {
        version: "response-v2",
        warnings: [
          "Deprecated parameter 'old_param' used, use 'new_param' instead",
          "Some optional features unavailable",
        ],
      },
    },
  },
  {
    document: "001",
    line: 116,
    name: "pagination",
    kind: "fragment",
    shape: "response-v2",
    text: `{
"meta": {
"pagination": {
"cursor": "eyJvZmZzZXQiOjUwfQ==",
"has_more": true,
"total_count": 150,
"page_size": 50
}
}
}`,
    completed: {
      success: true,
      data: { specs: page(50, specRow), total_count: 150 },
      error: null,
      meta: {
        version: "response-v2",
        pagination: { cursor: "eyJvZmZzZXQiOjUwfQ==", has_more: true, total_count: 150, page_size: 50 },
      },
    },
  },
  {
    document: "001",
    line: 143,
    name: "rate limit",
    kind: "fragment",
    shape: "response-v2",
    text: `{
"meta": {
"rate_limit": {
"limit": 100,
"remaining": 45,
"reset_at": "2025-01-15T10:30:00Z"
}
}
}`,
    completed: {
      success: true,
      data: {},
      error: null,
      meta: {
        version: "response-v2",
        rate_limit: { limit: 100, remaining: 45, reset_at: "2025-01-15T10:30:00Z" },
      },
    },
  },
  {
    document: "001",
    line: 156,
    name: "telemetry",
    kind: "fragment",
    shape: "response-v2",
    text: `{
"meta": {
"telemetry": {
"duration_ms": 125.4,
"db_queries": 3,
"cache_hit": true
}
}
}`,
    completed: {
      success: true,
      data: {},
      error: null,
      meta: {
        version: "response-v2",
        telemetry: { duration_ms: 125.4, db_queries: 3, cache_hit: true },
      },
    },
  },
  {
    document: "001",
    line: 223,
    name: "several payloads",
    kind: "fragment",
    shape: "response-v2",
    text: `{
"success": true,
"data": {
"spec": {
"id": "my-spec",
"title": "My Spec"
},
"tasks": [
{ "id": "task-1", "status": "pending" },
{ "id": "task-2", "status": "completed" }
],
"progress": {
"completed": 1,
"total": 2,
"percentage": 50
}
},
"meta": { "version": "response-v2" }
}`,
    completed: {
      success: true,
      data: {
        spec: { id: "my-spec", title: "My Spec" },
        tasks: [
          { id: "task-1", status: "pending" },
          { id: "task-2", status: "completed" },
        ],
        progress: { completed: 1, total: 2, percentage: 50 },
      },
      error: null,
      meta: { version: "response-v2" },
    },
  },
  {
    document: "001",
    line: 248,
    name: "partial success",
    kind: "fragment",
    shape: "response-v2",
    text: `{
"success": true,
"data": {
"processed": 8,
"failed": 2,
"results": [ ... ]
},
"meta": {
"warnings": [
"2 items failed processing",
"See 'failed_items' in data for details"
]
}
}`,
    completed: {
      success: true,
      data: {
        processed: 8,
        failed: 2,
        results: [
          { id: "item-001", status: "ok" },
          { id: "item-002", status: "ok" },
        ],
        failed_items: [
          { id: "item-009", error: "Missing file" },
          { id: "item-010", error: "Missing file" },
        ],
      },
      error: null,
      meta: {
        version: "response-v2",
        warnings: ["2 items failed processing", "See 'failed_items' in data for details"],
      },
    },
  },
  {
    document: "001",
    line: 266,
    name: "blocked task",
    kind: "fragment",
    shape: "response-v2",
    text: `{
"success": true,
"data": {
"task_id": "task-1-2",
"status": "blocked",
"blocked_by": ["task-1-1"],
"can_start": false
},
"meta": {
"warnings": ["Task blocked by incomplete dependencies"]
}
}`,
    completed: {
      success: true,
      data: { task_id: "task-1-2", status: "blocked", blocked_by: ["task-1-1"], can_start: false },
      error: null,
      meta: { version: "response-v2", warnings: ["Task blocked by incomplete dependencies"] },
    },
  },
];

const schemaGuide: readonly DocumentBlock[] = [
  {
    document: "002",
    line: 10,
    name: "template of the envelope",
    kind: "fragment",
    shape: "response-v2",
    text: `{
  "success": true,
  "data": { ... },
  "error": null,
  "meta": {
    "version": "response-v2",
    "warnings": []?,
    "pagination": { ... }?,
    "telemetry": { ... }?
  }
}`,
    completed: {
      success: true,
      data: { specs: [{ id: "my-spec", title: "My Spec" }], total_count: 1 },
      error: null,
      meta: {
        version: "response-v2",
        warnings: [],
        pagination: { cursor: null, has_more: false, total_count: 1, page_size: 50 },
        telemetry: { duration_ms: 12.5 },
      },
    },
  },
  {
    document: "002",
    line: 24,
    name: "data when no payload exists",
    kind: "fragment",
    shape: "response-v2",
    text: "{}",
    at: ["data"],
    completed: { success: true, data: {}, error: null, meta: { version: "response-v2" } },
  },
  {
    document: "002",
    line: 26,
    name: "the least that meta includes",
    kind: "fragment",
    shape: "response-v2",
    text: '{"version": "response-v2"}',
    at: ["meta"],
    completed: { success: true, data: {}, error: null, meta: { version: "response-v2" } },
  },
  {
    document: "002",
    line: 40,
    name: "data of a failure",
    kind: "fragment",
    shape: "response-v2",
    text: "{}",
    at: ["data"],
    completed: {
      success: false,
      data: {},
      error: "Spec not found: nonexistent-spec",
      meta: { version: "response-v2" },
    },
  },
  {
    document: "002",
    line: 42,
    name: "payloads nested under named keys",
    kind: "fragment",
    shape: "response-v2",
    text: '{"spec": {...}, "tasks": [...]}',
    at: ["data"],
    completed: {
      success: true,
      data: {
        spec: { id: "my-spec", title: "My Spec" },
        tasks: [{ task_id: "task-001", description: "Implement login", status: "pending" }],
      },
      error: null,
      meta: { version: "response-v2" },
    },
  },
];

const responseContract: readonly DocumentBlock[] = [
  {
    document: "003",
    line: 12,
    name: "template of the envelope",
    kind: "fragment",
    shape: "response-v2",
    text: `{
  "success": true,
  "data": { ... },
  "error": null,
  "meta": {
    "version": "response-v2",
    "request_id": "req_abc123",
    "warnings": [],
    "pagination": { ... },
    "rate_limit": { ... },
    "telemetry": { ... }
  }
}`,
    completed: {
      success: true,
      data: { tasks: [taskRow("001")], total_count: 1 },
      error: null,
      meta: {
        version: "response-v2",
        request_id: "req_abc123",
        warnings: [],
        pagination: { cursor: null, has_more: false, total_count: 1, page_size: 20 },
        rate_limit: { limit: 100, remaining: 95, reset_at: "2025-12-04T12:00:00Z" },
        telemetry: { duration_ms: 45 },
      },
    },
  },
  {
    document: "003",
    line: 42,
    name: "data when there is none",
    kind: "fragment",
    shape: "response-v2",
    text: "{}",
    at: ["data"],
    completed: { success: true, data: {}, error: null, meta: { version: "response-v2" } },
  },
  {
    document: "003",
    line: 59,
    name: "data of a task query",
    kind: "fragment",
    shape: "response-v2",
    text: `{
  "data": {
    "tasks": [...],
    "total_count": 15,
    "filtered_count": 5
  }
}`,
    completed: {
      success: true,
      data: { tasks: page(5, taskRow), total_count: 15, filtered_count: 5 },
      error: null,
      meta: { version: "response-v2" },
    },
  },
  {
    document: "003",
    line: 68,
    name: "data of a spec",
    kind: "fragment",
    shape: "response-v2",
    text: `{
  "data": {
    "spec": { ... },
    "hierarchy": { ... }
  }
}`,
    completed: {
      success: true,
      data: {
        spec: { id: "my-feature", title: "My Feature", status: "active" },
        hierarchy: {
          "phase-1": { type: "phase", title: "Phase 1", children: ["task-001"] },
          "task-001": { type: "task", title: "Implement login", status: "pending" },
        },
      },
      error: null,
      meta: { version: "response-v2" },
    },
  },
  {
    document: "003",
    line: 76,
    name: "empty but successful",
    kind: "fragment",
    shape: "response-v2",
    text: `{
  "data": {}
}`,
    completed: { success: true, data: {}, error: null, meta: { version: "response-v2" } },
  },
  {
    document: "003",
    line: 87,
    name: "failure without meta",
    kind: "fragment",
    shape: "response-v2",
    text: `{
  "success": false,
  "error": "Spec not found: invalid-spec-id",
  "data": { ... }
}`,
    completed: {
      success: false,
      data: {
        error_code: "SPEC_NOT_FOUND",
        error_type: "not_found",
        remediation: 'Verify the spec ID exists using spec(action="list")',
        details: { resource_type: "spec", resource_id: "invalid-spec-id" },
      },
      error: "Spec not found: invalid-spec-id",
      meta: { version: "response-v2" },
    },
  },
  {
    document: "003",
    line: 101,
    name: "meta in full",
    kind: "fragment",
    shape: "response-v2",
    text: `{
  "meta": {
    "version": "response-v2",
    "request_id": "req_abc123",
    "warnings": ["Deprecated field used"],
    "pagination": {
      "cursor": "eyJvZmZzZXQiOjIwfQ==",
      "has_more": true,
      "total_count": 150,
      "page_size": 20
    },
    "rate_limit": {
      "limit": 100,
      "remaining": 95,
      "reset_at": "2025-12-04T12:00:00Z"
    },
    "telemetry": {
      "duration_ms": 45,
      "cache_hit": true
    }
  }
}`,
    completed: {
      success: true,
      data: { tasks: page(20, taskRow), total_count: 150 },
      error: null,
      meta: {
        version: "response-v2",
        request_id: "req_abc123",
        warnings: ["Deprecated field used"],
        pagination: { cursor: "eyJvZmZzZXQiOjIwfQ==", has_more: true, total_count: 150, page_size: 20 },
        rate_limit: { limit: 100, remaining: 95, reset_at: "2025-12-04T12:00:00Z" },
        telemetry: { duration_ms: 45, cache_hit: true },
      },
    },
  },
  {
    document: "003",
    line: 143,
    name: "error with structured data",
    kind: "envelope",
    shape: "response-v2",
    text: `{
  "success": false,
  "data": {
    "error_code": "VALIDATION_ERROR",
    "error_type": "validation",
    "remediation": "Provide a non-empty spec_id parameter",
    "details": {
      "field": "spec_id",
      "constraint": "required",
      "received": null
    }
  },
  "error": "Validation failed: spec_id is required",
  "meta": {
    "version": "response-v2",
    "request_id": "req_xyz789"
  }
}`,
  },
  {
    document: "003",
    line: 208,
    name: "empty list of tasks",
    kind: "envelope",
    shape: "response-v2",
    text: `{
  "success": true,
  "data": {
    "tasks": [],
    "total_count": 0
  },
  "error": null,
  "meta": { "version": "response-v2" }
}`,
  },
  {
    document: "003",
    line: 227,
    name: "partial work",
    kind: "envelope",
    shape: "response-v2",
    text: `{
  "success": true,
  "data": {
    "processed": 8,
    "failed": 2,
    "failures": [
      { "task_id": "task-003", "error": "Missing file" }
    ]
  },
  "error": null,
  "meta": {
    "version": "response-v2",
    "warnings": ["2 tasks failed to process"]
  }
}`,
  },
  {
    document: "003",
    line: 252,
    name: "blocked task",
    kind: "envelope",
    shape: "response-v2",
    text: `{
  "success": true,
  "data": {
    "task_id": "task-001",
    "status": "blocked",
    "blocker": "Waiting for API approval"
  },
  "error": null,
  "meta": {
    "version": "response-v2",
    "warnings": ["Task is blocked and cannot proceed"]
  }
}`,
  },
  {
    document: "003",
    line: 274,
    name: "page of tasks",
    kind: "fragment",
    shape: "response-v2",
    text: `{
  "success": true,
  "data": {
    "tasks": [ ... ],  // 20 items
  },
  "meta": {
    "version": "response-v2",
    "pagination": {
      "cursor": "eyJvZmZzZXQiOjIwfQ==",
      "has_more": true,
      "total_count": 150,
      "page_size": 20
    }
  }
}`,
    completed: {
      success: true,
      data: { tasks: page(20, taskRow) },
      error: null,
      meta: {
        version: "response-v2",
        pagination: { cursor: "eyJvZmZzZXQiOjIwfQ==", has_more: true, total_count: 150, page_size: 20 },
      },
    },
  },
  {
    document: "003",
    line: 360,
    name: "version",
    kind: "fragment",
    shape: "response-v2",
    text: `{
  "meta": {
    "version": "response-v2"
  }
}`,
    completed: { success: true, data: {}, error: null, meta: { version: "response-v2" } },
  },
  {
    document: "003",
    line: 373,
    name: "client capabilities in a negotiation",
    kind: "fragment",
    shape: "capabilities",
    text: '{"response_contract": "v2"}',
    completed: { response_contract: "v2" },
  },
  {
    document: "003",
    line: 411,
    name: "task query",
    kind: "envelope",
    shape: "response-v2",
    text: `{
  "success": true,
  "data": {
    "tasks": [
      {
        "task_id": "task-001",
        "description": "Implement login",
        "status": "completed"
      },
      {
        "task_id": "task-002",
        "description": "Implement logout",
        "status": "pending"
      }
    ],
    "total_count": 2
  },
  "error": null,
  "meta": {
    "version": "response-v2",
    "request_id": "req_12345"
  }
}`,
  },
  {
    document: "003",
    line: 439,
    name: "validation error",
    kind: "envelope",
    shape: "response-v2",
    text: `{
  "success": false,
  "data": {
    "error_code": "VALIDATION_ERROR",
    "error_type": "validation",
    "remediation": "Spec ID must be non-empty and contain only alphanumeric characters and hyphens",
    "details": {
      "field": "spec_id",
      "constraint": "pattern",
      "pattern": "^[a-z0-9-]+$",
      "received": "Invalid Spec ID!"
    }
  },
  "error": "Validation failed: spec_id contains invalid characters",
  "meta": {
    "version": "response-v2",
    "request_id": "req_67890"
  }
}`,
  },
  {
    document: "003",
    line: 463,
    name: "not found error",
    kind: "envelope",
    shape: "response-v2",
    text: `{
  "success": false,
  "data": {
    "error_code": "NOT_FOUND",
    "error_type": "not_found",
    "remediation": "Check that the spec_id exists in specs/active/ or specs/pending/",
    "details": {
      "resource_type": "spec",
      "resource_id": "nonexistent-spec"
    }
  },
  "error": "Spec not found: nonexistent-spec",
  "meta": {
    "version": "response-v2"
  }
}`,
  },
];

const tierEnvelope: readonly DocumentBlock[] = [
  {
    document: "004",
    line: 54,
    name: "successful response",
    kind: "envelope",
    shape: "envelope-v1",
    text: `{
  "tier": "pro",
  "tool_version": "3.2.8",
  "tool_id": "security_scan",
  "request_id": "8b3e5f6c0a2f4ed4a3fb9e0b2f8f8d3a",
  "capabilities": ["envelope-v1"],
  "duration_ms": 27,
  "error": null,
  "upgrade_hints": [],
  "data": {"success": true, "risk_level": "high", "findings": []}
}`,
  },
  {
    document: "004",
    line: 70,
    name: "error response",
    kind: "envelope",
    shape: "envelope-v1",
    text: `{
  "tier": "community",
  "tool_version": "3.2.8",
  "tool_id": "extract_code",
  "request_id": "0a46e6c2b6df4e938e8d16ffb567a9b2",
  "capabilities": ["envelope-v1"],
  "duration_ms": 3,
  "error": {
    "error": "File not found: /missing.py.",
    "error_code": "not_found",
    "error_details": null
  },
  "upgrade_hints": [],
  "data": {"success": false, "error": "File not found: /missing.py."}
}`,
  },
];

/** The blocks in the order of the documents and of their lines. */
export const documentBlocks: readonly DocumentBlock[] = [
  ...contractDocument,
  ...envelopeGuide,
  ...schemaGuide,
  ...responseContract,
  ...tierEnvelope,
];

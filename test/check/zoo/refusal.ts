import type { Json } from "./rpc.ts";

/** Why a call is refused; faults choose by it. */
export type RefusalKind =
  | "missing"
  | "null"
  | "type"
  | "unknown-argument"
  | "range"
  | "blank"
  | "unknown-action"
  | "unknown-tool"
  | "cursor"
  | "not-found"
  | "content-not-found"
  | "too-large"
  | "throttled";

/** A failure before it is an envelope. */
export interface Refusal {
  readonly kind: RefusalKind;
  readonly code: string;
  readonly type: string;
  readonly message: string;
  readonly remediation: string;
  readonly details?: Json;
}

/** What is wrong with one argument. */
export function refuseArgument(
  kind: RefusalKind,
  field: string,
  constraint: string,
  expected: string,
): Refusal {
  const missing = kind === "missing" || kind === "null";
  return {
    kind,
    code: missing ? "MISSING_REQUIRED" : kind === "type" ? "INVALID_FORMAT" : "VALIDATION_ERROR",
    type: "validation",
    message: `Validation failed: ${field} ${missing ? "is required" : `must be ${expected}`}`,
    remediation: missing ? `Provide ${field}.` : `Send ${field} as ${expected}.`,
    details: { field, constraint, expected },
  };
}

/** A name that is not among those there are, the nearest of which comes first. */
export function refuseName(
  kind: "unknown-argument" | "unknown-action" | "unknown-tool",
  name: string,
  known: readonly string[],
): Refusal {
  const what = kind.slice("unknown-".length);
  const nearest = [...known].sort((a, b) => commonStart(name, b) - commonStart(name, a));
  return {
    kind,
    code: "VALIDATION_ERROR",
    type: "validation",
    message: `Unknown ${what}: ${name}`,
    remediation: known.length === 0 ? `Leave out ${name}.` : `Use one of: ${nearest.join(", ")}.`,
    details: {
      field: what === "argument" ? name : what,
      constraint: "known",
      received: name.slice(0, 200),
      expected: nearest,
    },
  };
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

/** Several refusals as one: the first leads, the rest stand in its details. */
export function joinRefusals(refusals: readonly [Refusal, ...Refusal[]]): Refusal {
  const [first, ...more] = refusals;
  if (more.length === 0) return first;
  return {
    ...first,
    code: more.every(({ code }) => code === first.code) ? first.code : "VALIDATION_ERROR",
    message: refusals.map(({ message }) => message).join("; "),
    remediation: refusals.map(({ remediation }) => remediation).join(" "),
    details: { ...first.details, errors: refusals.map(({ details }) => details) },
  };
}

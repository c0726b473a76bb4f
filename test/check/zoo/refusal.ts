import type { Json } from "./rpc.ts";

/** The kinds of refusals, by which faults select them. */
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

/** A failure before it is converted to an envelope. */
export interface Refusal {
  readonly kind: RefusalKind;
  readonly code: string;
  readonly type: string;
  readonly message: string;
  readonly remediation: string;
  readonly details?: Json;
}

/** Refuses one argument, with the reason. */
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

/** Refuses an unknown name. The refusal lists the known names, with the nearest name first. */
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

/** Joins several refusals. The first refusal is the main one, and the others are in its details. */
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

import type { Call } from "./changes.ts";
import type { Refusal, RefusalKind } from "./refusal.ts";
import { defineFault, type Faults } from "./zoo-entry.ts";

const forgive = (kind: RefusalKind, field?: string) =>
  defineFault({
    forgives: (refusal) =>
      refusal.kind === kind && (field === undefined || refusal.details?.["field"] === field),
  });

const badArgument: readonly (RefusalKind | undefined)[] = ["missing", "null", "type", "unknown-argument"];
const isBadArgument = ({ refused }: Call) => badArgument.includes(refused);

const unnamed = (refusal: Refusal): Refusal => {
  const { details: _, ...rest } = refusal;
  return { ...rest, message: "Invalid input", remediation: "Correct the input and call again." };
};

/** Faults in the handling of bad calls. */
export const refusalFaults: Faults = {
  "missing-accepted": forgive("missing", "text"),
  "wrong-type-accepted": forgive("type", "text"),
  "range-ignored": forgive("range", "times"),
  "null-accepted": forgive("null", "text"),
  "null-refused": defineFault({ refusesNull: true }),
  "unknown-ignored": forgive("unknown-argument"),
  "unknown-action-accepted": forgive("unknown-action"),
  "unknown-tool-accepted": forgive("unknown-tool"),
  "protocol-error": defineFault({
    answer(answer, call) {
      if (!isBadArgument(call) || !("result" in answer)) return answer;
      const data = answer.result["structuredContent"] as { readonly error: string };
      return { error: { code: -32602, message: data.error, data } };
    },
  }),
  "bad-argument-internal": defineFault({
    refusal: (refusal) =>
      refusal.kind === "missing" ? { ...refusal, code: "INTERNAL_ERROR", type: "internal" } : refusal,
  }),
  "bad-argument-unnamed": defineFault({
    refusal: (refusal, call) => (isBadArgument(call) ? unnamed(refusal) : refusal),
  }),
  "unknown-tool-bare": defineFault({
    answer: (answer) =>
      "error" in answer ? { error: { code: answer.error.code, message: answer.error.message } } : answer,
  }),
  "actions-unnamed": defineFault({
    refusal: (refusal) =>
      refusal.kind === "unknown-action"
        ? {
            ...refusal,
            remediation: "Look into the documentation.",
            details: { field: "action", constraint: "known" },
          }
        : refusal,
  }),
};

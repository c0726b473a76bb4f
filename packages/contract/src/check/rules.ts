/** How binding a rule is. */
export type RuleLevel = "MUST" | "SHOULD" | "MAY";

/** One rule of the envelope. */
export interface EnvelopeRule {
  readonly level: RuleLevel;
  readonly text: string;
  readonly remedy: string;
}

/** The rules that `checkEnvelope` holds a value to. */
export const envelopeRules = {
  E1: {
    level: "MUST",
    text: "An envelope has exactly four top-level keys: success, data, error and meta.",
    remedy: "Send all four keys and no other; put further information into data or meta.",
  },
  E2: {
    level: "MUST",
    text: "error is null on success, and a text that is not blank on failure.",
    remedy: "Set error to null when success is true, else to a message for a person.",
  },
  E3: {
    level: "MUST",
    text: "data is an object.",
    remedy: "Send {} when there is nothing; put an array or a scalar under a named key.",
  },
  E4: {
    level: "MUST",
    text: 'meta.version is "response-v2".',
    remedy: 'Set meta.version to "response-v2".',
  },
  E5: {
    level: "MUST",
    text: "Reserved meta keys have their types.",
    remedy: "Send the key with the type that the contract's table gives, or leave it out.",
  },
  E6: {
    level: "MAY",
    text: "Optional keys without a value are left out rather than sent as null or [].",
    remedy: "Leave the key out.",
  },
  E7: {
    level: "SHOULD",
    text: "Metadata goes into meta, never into data.",
    remedy: "Move data._meta into meta and data._warnings into meta.warnings.",
  },
  E8: {
    level: "MAY",
    text: "Keys stand in the order success, data, error, meta, and those of meta in the order of the table.",
    remedy: "Write the keys in that order.",
  },
  E9: {
    level: "MUST",
    text: "The payload is something that JSON can hold.",
    remedy: "Return plain JSON values from the tool.",
  },
  C1: {
    level: "SHOULD",
    text: "An answer below full fidelity says so, with the version of the fidelity keys.",
    remedy: 'Send content_fidelity and content_fidelity_schema_version: "1.0" with it.',
  },
  F1: {
    level: "MUST",
    text: "error_code, error_type, remediation and details of a failure have their types.",
    remedy: "Send code, type and remediation as texts, details as an object.",
  },
  F2: {
    level: "SHOULD",
    text: "A failure names its code in SCREAMING_SNAKE_CASE, its type and a remediation.",
    remedy: "Send data.error_code, data.error_type and data.remediation with every failure.",
  },
} as const satisfies Readonly<Record<string, EnvelopeRule>>;

/** The id of a rule of the envelope. */
export type RuleId = keyof typeof envelopeRules;

/** How binding a rule is. */
export type RuleLevel = "MUST" | "SHOULD" | "MAY";

/** One rule of the envelope; docs/reference/envelope.md states it. */
export interface EnvelopeRule {
  readonly level: RuleLevel;
  readonly remedy: string;
}

/** The rules that `checkEnvelope` holds a value to. */
export const envelopeRules = {
  E1: { level: "MUST", remedy: "Send exactly the keys success, data, error and meta." },
  E2: { level: "MUST", remedy: "Set error to null when success is true, else to a message for a person." },
  E3: { level: "MUST", remedy: "Send {} when there is nothing; put an array or a scalar under a named key." },
  E4: { level: "MUST", remedy: 'Set meta.version to "response-v2".' },
  E5: { level: "MUST", remedy: "Send the key with the type that the contract gives it, or leave it out." },
  E6: { level: "MAY", remedy: "Leave the key out." },
  E7: { level: "SHOULD", remedy: "Move it from data to meta." },
  E8: { level: "MAY", remedy: "Write the keys in the order of the contract." },
  E9: { level: "MUST", remedy: "Return plain JSON values from the tool." },
  F1: { level: "MUST", remedy: "Send code, type and remediation as texts, details as an object." },
  F2: {
    level: "SHOULD",
    remedy: "Send error_code in SCREAMING_SNAKE_CASE, error_type and remediation with every failure.",
  },
  C1: {
    level: "SHOULD",
    remedy: 'Send content_fidelity with content_fidelity_schema_version "1.0" when something is left out.',
  },
} as const satisfies Readonly<Record<string, EnvelopeRule>>;

/** The id of a rule of the envelope. */
export type RuleId = keyof typeof envelopeRules;

import { z } from "zod";
import { contractFlag } from "./contract-flag.ts";
import { flagStates } from "./flags.ts";

/**
 * The schema of a flag name. A colon is not allowed, because it separates flag and client in the hash for a
 * rollout.
 */
const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/);
const text = z.string({ error: "must be a text" });
const bool = z.boolean({ error: "must be true or false" });
const texts = z.array(text, { error: "must be a list of texts" });
const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: "must be a day such as 2027-01-31 or an instant such as 2027-01-31T12:00:00Z",
});
const percentage = z
  .int({ error: "must be a whole number from 0 to 100" })
  .min(0, { error: "must be at least 0" })
  .max(100, { error: "must be at most 100" });

const common = {
  description: text.optional(),
  state: z.enum(flagStates, { error: `must be one of ${flagStates.join(", ")}` }).default("experimental"),
  default: bool.optional(),
  owner: text.optional(),
  percentage: percentage.optional(),
  allow: texts.default([]),
  block: texts.default([]),
  dependencies: texts.default([]),
};

const inCode = z.strictObject({ ...common, createdAt: moment.optional(), expiresAt: moment.optional() });
const inFile = z
  .strictObject({ ...common, created_at: moment.optional(), expires_at: moment.optional() })
  .transform(({ created_at, expires_at, ...flag }) => ({
    ...flag,
    ...(created_at === undefined ? {} : { createdAt: created_at }),
    ...(expires_at === undefined ? {} : { expiresAt: expires_at }),
  }));

/** Sets missing values of `default`: true for the flag of the response contract, false for other flags. */
function withDefault<F extends { default?: boolean | undefined }>(flags: Record<string, F>) {
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [
      name,
      { ...flag, default: flag.default ?? name === contractFlag },
    ]),
  );
}

const overrides = z.record(z.string(), bool).default({});
const clientOverrides = z.record(z.string(), z.record(z.string(), bool)).default({});

/** The schema of flags in a file, with keys in snake_case. */
export const flagFileSchema = z
  .strictObject({
    flags: z.record(name, inFile).transform(withDefault),
    overrides,
    client_overrides: clientOverrides,
  })
  .transform(({ client_overrides, ...rest }) => ({ ...rest, clientOverrides: client_overrides }));

/** The schema of flags in the options of `openFlags`, with keys in camelCase. */
export const flagOptionsSchema = z.strictObject({
  flags: z.record(name, inCode).default({}).transform(withDefault),
  overrides,
  clientOverrides,
});

/**
 * The valid keys of a flag definition and of the object that contains the definitions, for spelling
 * suggestions.
 */
export const flagKeys = {
  file: { root: ["flags", "overrides", "client_overrides"], flag: [...Object.keys(inFile.in.shape)] },
  code: { root: Object.keys(flagOptionsSchema.shape), flag: Object.keys(inCode.shape) },
} as const;

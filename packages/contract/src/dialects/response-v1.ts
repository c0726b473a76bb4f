/** The schema version that every response-v1 answer carries. */
export const responseV1SchemaVersion = "1.0.0";

/** The legacy answer: the payload's keys stand beside `success`. */
export interface ResponseV1 {
  readonly success: boolean;
  readonly schema_version: typeof responseV1SchemaVersion;
  readonly error?: string;
  readonly [key: string]: unknown;
}

/** The keys that are the answer's own; everything else is payload. */
export const responseV1Keys: readonly string[] = ["success", "schema_version", "error"];

import { z } from "zod";

/** The measured payloads, by the number of rows that produces them. */
export const payloads = [
  { name: "100 B", count: 1 },
  { name: "10 kB", count: 122 },
] as const;

/** The input of the tool on every server. */
export const lookUpInput = z.object({
  query: z.string().min(1).max(200),
  count: z.number().int().min(1).max(1_000),
});

/** The output of the tool on every server. */
export const lookUpOutput = z.object({
  items: z.array(
    z.object({ id: z.string(), title: z.string(), status: z.enum(["pending", "done"]), hours: z.number() }),
  ),
  total: z.number().int(),
});

/** The output schema of a server without the toolkit: an envelope of the same shape, declared by hand. */
export const envelopeOutput = z.object({
  success: z.boolean(),
  data: lookUpOutput,
  error: z.string().nullable(),
  meta: z.object({
    version: z.literal("response-v2"),
    request_id: z.string(),
    telemetry: z.object({ duration_ms: z.number() }),
  }),
});

const rows = Array.from({ length: 1_000 }, (_, index) => ({
  id: `task-${1_000 + index}`,
  title: `Parse section ${1_000 + index}`,
  status: index % 3 === 0 ? ("done" as const) : ("pending" as const),
  hours: (index % 16) / 2 + 0.5,
}));

/** The handler of every server. It does almost no work, so that the overhead around it is measured. */
export async function lookUp({ count }: z.infer<typeof lookUpInput>): Promise<z.infer<typeof lookUpOutput>> {
  return { items: rows.slice(0, count), total: rows.length };
}

/** Returns the same answer in an envelope, as a server without the toolkit would write it. */
export async function lookUpEnvelope(
  input: z.infer<typeof lookUpInput>,
): Promise<z.infer<typeof envelopeOutput>> {
  return {
    success: true,
    data: await lookUp(input),
    error: null,
    meta: { version: "response-v2", request_id: "req_0123456789ab", telemetry: { duration_ms: 0.123 } },
  };
}

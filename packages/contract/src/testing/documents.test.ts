import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { serializeEnvelope } from "../builders/serialize-envelope.ts";
import { fromEnvelopeV1, toEnvelopeV1 } from "../dialects/convert-envelope-v1.ts";
import { envelopeV1Validator } from "../dialects/dialect-schemas.ts";
import type { EnvelopeV1 } from "../dialects/envelope-v1.ts";
import { readEnvelope } from "../dialects/read-envelope.ts";
import { evidenceSnippetSchema } from "../digest/digest-schemas.ts";
import { deserializePayload, serializePayload, validatePayload } from "../digest/payload-json.ts";
import { checkEnvelope } from "../envelope/check-envelope.ts";
import type { Envelope } from "../envelope/envelope.ts";
import { type DocumentBlock, documentBlocks } from "./document-blocks.ts";

const mustFindings = (value: unknown) => checkEnvelope(value).filter(({ level }) => level === "MUST");

/** The assertions that a value of each shape must pass. */
const accepts: Record<DocumentBlock["shape"], (value: unknown) => void> = {
  "response-v2": (value) => {
    expect(mustFindings(value)).toEqual([]);
    expect(readEnvelope(value)).toEqual(value);
    expect(JSON.parse(serializeEnvelope(value as Envelope))).toEqual(value);
    expect(fromEnvelopeV1(toEnvelopeV1(value as Envelope))).toEqual(value);
  },
  "envelope-v1": (value) => {
    expect(envelopeV1Validator.problems(value)).toEqual([]);
    const read = readEnvelope(value);
    expect(mustFindings(read)).toEqual([]);
    expect(toEnvelopeV1(read)).toEqual(value as EnvelopeV1);
  },
  digest: (value) => {
    expect(validatePayload(value)).toEqual(value);
    expect(deserializePayload(serializePayload(value as never))).toEqual(value);
  },
  snippet: (value) => expect(evidenceSnippetSchema.parse(value)).toEqual(value),
  capabilities: (value) => expect(value).toEqual({ response_contract: "v2" }),
};

describe("the examples of the contract documents", () => {
  it.each(documentBlocks.map((block) => ({ title: `${block.document}:${block.line} ${block.name}`, block })))(
    "$title",
    ({ block }) => {
      accepts[block.shape](block.kind === "envelope" ? JSON.parse(block.text) : block.completed);
    },
  );
});

describe("the golden envelopes of the reference implementation", () => {
  const folder = new URL("../../fixtures/reference/", import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));

  it("are complete", () => {
    expect(files.toSorted()).toEqual([
      "error_not_found.json",
      "error_validation_failure.json",
      "success_specs_list.json",
      "success_task_progress.json",
      "success_validation.json",
    ]);
  });

  it.each(files)("%s is read, checked and written back without loss", (file) => {
    const wrapped = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Record<string, unknown>;
    const { fixture_version, ...envelope } = wrapped;
    expect(checkEnvelope(envelope)).toEqual([]);
    expect(readEnvelope(envelope)).toBe(envelope);
    expect(JSON.parse(serializeEnvelope(envelope as never))).toEqual(envelope);
    const read = readEnvelope(wrapped);
    expect({ ...read, meta: null }).toEqual({ ...envelope, meta: null });
    expect(read.meta["nonconforming"]).toEqual({ fixture_version });
  });
});

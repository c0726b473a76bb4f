import {
  checkEnvelope,
  encodeEnvelope,
  envelopeSchema,
  serializeEnvelope,
  successResponse,
  toJsonSchema,
} from "@foundry-mcp/contract";
import { fitToBudget } from "@foundry-mcp/contract/budget";
import { Ajv2020 } from "ajv/dist/2020.js";
import { growth } from "./measure.ts";
import { taskRows } from "./payloads.ts";
import type { Bench } from "./report.ts";

const sizes = [10_000, 100_000, 1_000_000, 10_000_000];

/** Measures the overhead of the contract in addition to the work that every server does anyway. */
export const contract: Bench = {
  name: "contract",
  title: "the contract package",
  run: async (options) => [
    {
      title:
        "Write an answer: build + serialise with every value checked (E9), against JSON.stringify of the same object",
      result: await growth(sizes, writeCases, { baseline: "JSON.stringify", ...options }),
    },
    {
      title: "Check an envelope, against the same schema compiled by ajv",
      result: await growth(sizes, checkCases, { baseline: "ajv", ...options }),
    },
    {
      title: "Fit an answer into 20,000 tokens, against JSON.parse + JSON.stringify of it",
      result: await growth(sizes, fitCases, { baseline: "JSON.parse + JSON.stringify", ...options }),
    },
  ],
};

function writeCases(size: number) {
  const data = taskRows(size);
  const meta = { requestId: "req_0123456789ab", telemetry: { durationMs: 12.5 } };
  const plain = successResponse(data, meta);
  const write = () => serializeEnvelope(successResponse(data, meta));
  return [
    { name: "JSON.stringify", run: () => JSON.stringify(plain) },
    // The target applies only to a typical answer of 10 kB. For larger answers, memory is the limit rather than
    // computation.
    { name: "successResponse + serializeEnvelope", run: write, ...(size === 10_000 ? { target: 1.35 } : {}) },
    // A server then converts the text to bytes. V8 returns the text of JSON.stringify in pieces and joins the
    // pieces on first use, but the text of serializeEnvelope is already joined.
    { name: "JSON.stringify, to bytes", run: () => Buffer.from(JSON.stringify(plain)) },
    { name: "successResponse + serializeEnvelope, to bytes", run: () => Buffer.from(write()) },
  ];
}

function checkCases(size: number) {
  const { envelope } = encodeEnvelope(
    successResponse(taskRows(size), {
      requestId: "req_0123456789ab",
      warnings: "one",
      telemetry: { durationMs: 12.5 },
    }),
  );
  const value: unknown = JSON.parse(JSON.stringify(envelope));
  const validate = new Ajv2020({ allErrors: false }).compile(toJsonSchema(envelopeSchema));
  return [
    { name: "ajv", run: () => validate(value) },
    { name: "checkEnvelope", run: () => checkEnvelope(value), target: 3 },
    { name: "checkEnvelope, payload walked too", run: () => checkEnvelope(value, { deep: true }) },
  ];
}

function fitCases(size: number) {
  const envelope = successResponse(taskRows(size), { requestId: "req_0123456789ab" });
  const text = JSON.stringify(envelope);
  return [
    { name: "JSON.parse + JSON.stringify", run: () => JSON.stringify(JSON.parse(text)) },
    {
      name: "fitToBudget",
      run: () => fitToBudget(envelope, { maxTokens: 20_000 }),
      ...(size >= 10_000_000 ? { target: 1 } : {}),
    },
  ];
}

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Envelope } from "@foundry-mcp/contract";
import { type DigestPayload, validatePayload, verifySnippet } from "@foundry-mcp/contract/digest";
import type { Connection } from "@foundry-mcp/toolkit/client";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type FakeModel,
  type ModelBehaviour,
  startFakeModel,
} from "../../packages/foundry/src/research/model/testing/fake-model.ts";
import { modelBehaviours as behaviours } from "../../packages/foundry/src/research/model/testing/fake-model-behaviours.ts";
import { callCli, openStdioServer } from "../specs/programs.ts";
import { createWorkspace, type TestWorkspace } from "../specs/workspace.ts";
import { badModels, modelKey } from "./bad-models.ts";

let place: TestWorkspace;
let server: Connection;
let model: FakeModel;
/** The current behaviour of the model. */
let behaviour: ModelBehaviour = behaviours.digest();
let asked = 0;

const query = "When does the tide turn?";
const textOf = (name: string) =>
  Array.from(
    { length: 20 },
    (_, at) => `The tide of ${name} turns ${at} hours after the moon 🌙 has passed, says pilot ${at}.`,
  ).join(" ");
const names = ["avon", "brest", "cadiz"];

beforeAll(async () => {
  place = await createWorkspace();
  for (const name of names) await writeFile(join(place.folder, `${name}.txt`), textOf(name));
  model = await startFakeModel((request, response) => behaviour(request, response));
  server = await openStdioServer(place.folder, ["--tools", "all"], {
    FOUNDRY_MODEL: "stand-in-1",
    FOUNDRY_MODEL_BASE_URL: model.baseUrl,
    FOUNDRY_MODEL_KEY: modelKey,
    FOUNDRY_MODEL_TIMEOUT: "1",
  });
});
afterAll(async () => {
  await server.close();
  await model.close();
  await place.remove();
});
beforeEach(() => {
  asked = model.requests.length;
});

interface Digested {
  readonly digest: DigestPayload;
  readonly summary_by: string;
  readonly dropped_quotes?: number;
}
const call = (args: object): Promise<Envelope> => server.callTool("research", args);
const digestOf = (more: object = {}) =>
  call({ action: "digest", query, source: { path: "avon.txt" }, ...more });
const told = ({ data }: Envelope) => data as unknown as Digested;
const codesOf = ({ meta }: Envelope) => meta.warning_details?.map(({ code }) => code) ?? [];

describe("a digest with a model", () => {
  it("does not call the model where use_model is false", async () => {
    behaviour = behaviours.digest();
    const envelope = await digestOf({ use_model: false });
    expect(envelope).toMatchObject({ success: true, data: { summary_by: "extraction" } });
    expect(codesOf(envelope)).toEqual([]);
    expect(model.requests.length).toBe(asked);
  });

  it.each(badModels)("falls back to extraction where the model %s (%s)", async (_, reason, bad) => {
    const extracted = told(await digestOf({ use_model: false }));
    behaviour = bad;
    const envelope = await digestOf();
    expect(told(envelope)).toEqual({ ...extracted, summary_by: "extraction" });
    expect(envelope.success).toBe(true);
    expect(envelope.meta.warning_details).toEqual([
      {
        code: "FALLBACK_USED",
        severity: "info",
        message: expect.stringMatching(/^The summary of avon\.txt is extracted: The .+/),
        context: { from: "model", reason },
      },
    ]);
    expect(JSON.stringify(envelope)).not.toContain(modelKey);
    expect(model.requests.length).toBe(asked + 1);
  });

  it("has the model's summary and key points, and exact evidence", async () => {
    const extracted = told(await digestOf({ use_model: false })).digest;
    const quote = "moon 🌙 has passed, says pilot 13.";
    const [summary, key_points] = ["It turns after the moon.", ["The moon leads.", "The sea follows."]];
    behaviour = behaviours.digest({ summary, key_points, quotes: [quote] });
    const envelope = await digestOf();
    const { digest, summary_by, dropped_quotes } = told(envelope);
    expect([summary_by, dropped_quotes, codesOf(envelope)]).toEqual(["model", 0, []]);
    expect([digest.summary, digest.key_points]).toEqual([summary, key_points]);
    expect(validatePayload(digest)).toEqual(digest);
    const { evidence_snippets: all } = digest;
    expect(all.slice(0, extracted.evidence_snippets.length)).toEqual(extracted.evidence_snippets);
    expect(all.at(-1)?.text).toBe(quote);
    expect(all.map((each) => verifySnippet(textOf("avon"), each))).not.toContain(false);
    expect((await call({ action: "verify", digest })).data).toMatchObject({
      verified: true,
      checked: all.length,
    });
    const [request] = model.requests.slice(asked);
    expect(request?.headers["authorization"]).toBe(`Bearer ${modelKey}`);
    expect(request?.body).toMatchObject({ model: "stand-in-1", temperature: 0 });
    expect(JSON.stringify(request?.body)).toContain("The tide of avon turns");
  });

  it("drops invented quotes, counts them, and warns", async () => {
    behaviour = behaviours.fabricatedQuotes();
    const envelope = await digestOf();
    const { digest, summary_by, dropped_quotes } = told(envelope);
    expect([summary_by, dropped_quotes]).toEqual(["model", 2]);
    expect(envelope.meta.warnings).toEqual(["2 quotes of the model dropped: not in avon.txt"]);
    expect(JSON.stringify(envelope)).not.toContain("Nobody has ever written this");
    expect((await call({ action: "verify", digest })).data).toMatchObject({ verified: true });
  });

  it("is independent of a model failure for another source of the batch", async () => {
    const good = behaviours.digest();
    const bad = behaviours.cutStream("{}");
    behaviour = (request, response) =>
      (JSON.stringify(request.body).includes("The tide of brest") ? bad : good)(request, response);
    const envelope = await call({ action: "digest-batch", query, sources: [{ path: "." }] });
    expect(envelope.data).toMatchObject({ digested: 3, short: 0, failed: 0, failures: [] });
    const rows = envelope.data["digests"] as readonly (Digested & { readonly name: string })[];
    expect(rows.map(({ name, summary_by }) => [name, summary_by])).toEqual([
      ["avon.txt", "model"],
      ["brest.txt", "extraction"],
      ["cadiz.txt", "model"],
    ]);
    expect(rows.map(({ digest }) => digest.summary === "In short.")).toEqual([true, false, true]);
    expect(codesOf(envelope)).toEqual(["FALLBACK_USED"]);
    expect(envelope.meta.warnings?.[0]).toMatch(/^The summary of brest\.txt is extracted: /);
  });
});

describe("a report with a model", () => {
  async function research() {
    const sources = names.map((name) => ({ path: `${name}.txt` }));
    const { data } = await call({ action: "start", question: query, sources });
    expect(data).toMatchObject({ state: "completed" });
    return call({ action: "report", research_id: data["research_id"], max_tokens: 0 });
  }

  it("has a summary whose every sentence cites a finding", async () => {
    const summary = "The moon leads the sea [1]. Nobody knows why. It does so everywhere [2][99].";
    behaviour = behaviours.digest({ summary });
    const envelope = await research();
    expect(envelope.data).toMatchObject({
      summary: "The moon leads the sea [1]. It does so everywhere [2].",
      summary_by: "model",
    });
    expect(envelope.data).not.toHaveProperty("fallback");
    expect(codesOf(envelope)).toEqual([]);
    // There is one request for the report, with the claims of the sources.
    expect(model.requests.length).toBe(asked + 1);
    const { findings } = envelope.data as unknown as { findings: readonly { claim: string }[] };
    for (const { claim } of findings) expect(claim).toMatch(/^The tide of \w+ turns \d+ hours/);
  });

  it.each([
    ["cites nothing", behaviours.digest({ summary: "The moon leads the sea." })],
    ["cites what is not there", behaviours.digest({ summary: "The moon leads the sea [77]." })],
    ["is refused, with the key", behaviours.refusal(401)],
    ["never comes", behaviours.silence()],
  ])("falls back to extraction where the summary of the model %s", async (_, bad) => {
    behaviour = bad;
    const envelope = await research();
    const { findings, summary } = envelope.data as unknown as {
      findings: readonly { claim: string }[];
      summary: string;
    };
    expect(summary).toBe(
      findings
        .slice(0, 3)
        .map(({ claim }, at) => `${claim} [${at + 1}]`)
        .join(" "),
    );
    expect(envelope.data).toMatchObject({
      summary_by: "extraction",
      fallback: { from: "model", reason: expect.stringMatching(/^The .+/) },
    });
    expect(codesOf(envelope)).toEqual(["FALLBACK_USED"]);
    expect(JSON.stringify(envelope)).not.toContain(modelKey);
  });
});

describe("the settings of a model", () => {
  it.each([
    ["model", '"gpt-evil"'],
    ["model_base_url", '"http://127.0.0.1:9/v1"'],
    ["search_url", '"http://127.0.0.1:9"'],
  ])("are not used where the file of a workspace sets them: %s", async (name, value) => {
    const other = await createWorkspace();
    try {
      await writeFile(join(other.folder, "notes.txt"), textOf("avon"));
      await writeFile(join(other.folder, "foundry.toml"), `${name} = ${value}\n`);
      const { success, data, meta } = await callCli(["research", "digest", "notes.txt"], {
        cwd: other.folder,
      });
      expect([success, data["summary_by"], data["fallback"]]).toEqual([true, "extraction", undefined]);
      expect(meta.warnings).toEqual([expect.stringContaining(`sets ${name}, which a workspace may not set`)]);
    } finally {
      await other.remove();
    }
  });
});

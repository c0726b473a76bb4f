import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Envelope } from "@foundry-mcp/contract";
import { type Connection, connect } from "@foundry-mcp/toolkit/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type FakeModel,
  type ModelBehaviour,
  startFakeModel,
} from "../../packages/foundry/src/research/model/testing/fake-model.ts";
import { modelBehaviours as behaviours } from "../../packages/foundry/src/research/model/testing/fake-model-behaviours.ts";
import { callCli, plainEnv, runCli, serverScript } from "../specs/programs.ts";
import { createWorkspace, filesBelow, type TestWorkspace } from "../specs/workspace.ts";
import { badModels, modelKey } from "./bad-models.ts";

// These tests run commands and servers with a model of every behaviour. The key of the model must not occur in any
// output.

let place: TestWorkspace;
let model: FakeModel;
let behaviour: ModelBehaviour = behaviours.digest();
let env: Readonly<Record<string, string>>;

const query = "When does the tide turn?";
const text = Array.from(
  { length: 40 },
  (_, at) => `The tide of coast ${at} turns ${at} hours after the moon 🌙 has passed, says pilot ${at}.`,
).join(" ");
const good = behaviours.digest({
  summary: "It turns after the moon [1].",
  quotes: ["says pilot 31. The tide"],
});
const models: typeof badModels = [
  ...badModels,
  ["is good", "", good],
  ["makes quotes up", "", behaviours.fabricatedQuotes()],
];

beforeAll(async () => {
  place = await createWorkspace();
  await writeFile(join(place.folder, "tides.txt"), text);
  model = await startFakeModel((request, response) => behaviour(request, response));
  env = {
    FOUNDRY_MODEL: "stand-in-1",
    FOUNDRY_MODEL_BASE_URL: model.baseUrl,
    FOUNDRY_MODEL_KEY: modelKey,
    FOUNDRY_MODEL_TIMEOUT: "1",
  };
});
afterAll(async () => {
  await model.close();
  await place.remove();
});

/** Returns the files that contain the key. */
async function placesOfKey(): Promise<readonly string[]> {
  const names = await filesBelow(place.folder);
  const texts = await Promise.all(names.map((name) => readFile(join(place.folder, name), "latin1")));
  return names.filter((_, at) => texts[at]?.includes(modelKey));
}

describe("foundry-cli with a model", () => {
  const argv = ["research", "digest", "tides.txt", "--query", query];
  let extracted: Envelope;
  beforeAll(async () => {
    extracted = await callCli(argv, { cwd: place.folder });
  });

  it.each(models)("that %s digests, and never reveals the key", async (_, reason, does) => {
    behaviour = does;
    const { code, stdout, stderr } = await runCli(argv, { cwd: place.folder, env });
    expect([code, stderr]).toEqual([0, ""]);
    const envelope = JSON.parse(stdout) as Envelope;
    const details = envelope.meta.warning_details ?? [];
    if (reason === "") {
      expect(envelope.data).toMatchObject({ summary_by: "model" });
      expect(details.map(({ code: each }) => each)).not.toContain("FALLBACK_USED");
      await writeFile(join(place.folder, "answer.json"), stdout);
      const verified = await callCli(["research", "verify", "answer.json"], { cwd: place.folder });
      expect(verified.data).toMatchObject({ verified: true, problems: [] });
    } else {
      expect(envelope.data).toEqual(extracted.data);
      expect(details.map(({ code: each, context }) => [each, context])).toEqual([
        ["FALLBACK_USED", { from: "model", reason }],
      ]);
    }
    expect(stdout).not.toContain(modelKey);
    expect(await placesOfKey()).toEqual([]);
  });

  it("prints readable output without the key", async () => {
    behaviour = behaviours.refusal(401);
    const { code, stdout, stderr } = await runCli([...argv, "--human"], { cwd: place.folder, env });
    expect(code).toBe(0);
    expect(`${stdout}${stderr}`).toContain("The server of the model answers 401");
    expect(`${stdout}${stderr}`).not.toContain(modelKey);
  });
});

describe("foundry-mcp with a model, at the most verbose log level", () => {
  let server: Connection;
  const log = () => join(place.folder, "server.log");
  beforeAll(async () => {
    server = await connect({
      command: "/bin/sh",
      args: [
        "-c",
        'exec "$0" "$@" 2> server.log',
        process.execPath,
        serverScript,
        "--tools",
        "all",
        "--log-level",
        "debug",
      ],
      cwd: place.folder,
      env: { ...plainEnv(place.folder), ...env },
    });
  });
  afterAll(() => server.close());

  it("never reveals the key, whatever the model does", async () => {
    const answers: Envelope[] = [await server.callTool("server", { action: "context" })];
    for (const [, , does] of models) {
      behaviour = does;
      const asked = model.requests.length;
      const digest = { action: "digest", query, source: { path: "tides.txt" } };
      const start = { action: "start", question: query, sources: [{ path: "tides.txt" }] };
      const [one, run] = [
        await server.callTool("research", digest),
        await server.callTool("research", start),
      ];
      const { research_id } = run.data;
      const report = await server.callTool("research", { action: "report", research_id });
      const checked = await server.callTool("research", { action: "verify", research_id });
      for (const envelope of [one, run, report, checked]) expect(envelope.success).toBe(true);
      // There are two requests, one for the digest and one for the report, both with the key.
      const requests = model.requests.slice(asked);
      expect(requests.map(({ headers }) => headers["authorization"])).toEqual([
        `Bearer ${modelKey}`,
        `Bearer ${modelKey}`,
      ]);
      answers.push(one, run, report, checked);
    }
    answers.push(await server.callTool("server", { action: "context" }));
    expect(answers[0]?.data).toMatchObject({ settings: expect.anything() });
    expect(JSON.stringify(answers)).toContain("stand-in-1");
    expect(JSON.stringify(answers)).not.toContain(modelKey);
    const written = await readFile(log(), "utf8");
    expect(written.split("\n").length).toBeGreaterThan(50);
    expect(await placesOfKey()).toEqual([]);
    await model.idle();
  });
});

import type { UnknownRecord } from "@foundry-mcp/contract";
import { connectRaw, type RawConnection } from "@foundry-mcp/toolkit/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { emptyHome, foundryCli } from "../bins.ts";
import { pathOf } from "./real-calls.ts";

const command = process.execPath;
let direct: RawConnection;
let gateway: RawConnection;
beforeAll(async () => {
  const server = [pathOf("everything")];
  direct = await connectRaw({ command, args: server, stderr: "ignore" });
  const args = [foundryCli, "gateway", "--log-level", "silent", "--", command, ...server];
  gateway = await connectRaw({ command, args, env: { HOME: emptyHome }, stderr: "ignore" });
});
afterAll(async () => {
  await gateway?.close();
  await direct?.close();
});

async function ask(connection: RawConnection, method: string, params: UnknownRecord = {}) {
  const reply = await connection.request(method, params);
  if (reply.kind !== "result") return reply;
  const { _meta, ttlMs, cacheScope, resultType, ...result } = reply.result as UnknownRecord;
  return JSON.parse(
    JSON.stringify(result).replaceAll(/\d\d?:\d\d:\d\d( [AP]M)?/g, "(time)"),
  ) as UnknownRecord;
}

/** The items of a list without members that only describe it. */
async function list(
  connection: RawConnection,
  method: string,
  key: string,
): Promise<readonly UnknownRecord[]> {
  const items = (await ask(connection, method))[key as never] as unknown as UnknownRecord[];
  return items.map(({ name, uri, uriTemplate, title, description, mimeType, arguments: given }) =>
    JSON.parse(
      JSON.stringify({ name, uri, uriTemplate, title, description, mimeType, arguments: given ?? [] }),
    ),
  );
}

it("serves the prompts of a server, and what each gives", async () => {
  const prompts = await list(direct, "prompts/list", "prompts");
  const required = (prompt: UnknownRecord) =>
    (prompt["arguments"] as readonly { readonly name: string; readonly required?: boolean }[]).map(
      ({ name, required: isRequired = false }) => [name, isRequired],
    );
  const served = await list(gateway, "prompts/list", "prompts");
  expect(served.map((prompt) => [prompt["name"], prompt["description"], required(prompt)])).toEqual(
    prompts.map((prompt) => [prompt["name"], prompt["description"], required(prompt)]),
  );
  for (const params of [
    { name: "simple-prompt" },
    { name: "args-prompt", arguments: { city: "Oslo" } },
    { name: "resource-prompt", arguments: { resourceType: "Text", resourceId: "1" } },
  ])
    expect(await ask(gateway, "prompts/get", params)).toEqual(await ask(direct, "prompts/get", params));
  expect(await ask(gateway, "prompts/get", { name: "args-prompt" })).toMatchObject({
    kind: "error",
    data: { success: false, data: { error_code: "VALIDATION_ERROR", details: { upstream: "index.js" } } },
  });
});

it("serves the resources of a server, and their contents", async () => {
  const resources = await list(direct, "resources/list", "resources");
  expect(resources.length).toBeGreaterThan(3);
  expect(await list(gateway, "resources/list", "resources")).toEqual(resources);
  const templates = await list(direct, "resources/templates/list", "resourceTemplates");
  const [own, ...served] = await list(gateway, "resources/templates/list", "resourceTemplates");
  expect([own?.["uriTemplate"], served]).toEqual(["foundry-content://{archive_id}", templates]);
  // The blobs are left out, because they contain the time in base64.
  for (const uri of [resources[0]?.["uri"], "demo://resource/dynamic/text/7"])
    expect(await ask(gateway, "resources/read", { uri })).toEqual(
      await ask(direct, "resources/read", { uri }),
    );
  expect(await ask(gateway, "resources/read", { uri: "demo://resource/dynamic/text/none" })).toMatchObject({
    kind: "error",
    data: { success: false },
  });
});

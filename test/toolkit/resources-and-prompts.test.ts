import { checkEnvelope, type Failure } from "@foundry-mcp/contract";
import { createRegistry, definePrompt, defineResource } from "@foundry-mcp/toolkit";
import { type RunningHttpServer, serveHttp } from "@foundry-mcp/toolkit/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { plantedSecret } from "./failing-tools.ts";
import { findLeaks } from "./leaks.ts";
import { openRawHttp, type RawPeer } from "./raw-rpc.ts";
import { silentLogger } from "./silent-logger.ts";

const fail = (): never => {
  throw new Error(`open /var/lib/private/key.pem: ${plantedSecret}`);
};

const registry = createRegistry({
  name: "offers",
  version: "1.0.0",
  resources: [
    defineResource({ name: "fixed", uri: "test://fixed", read: () => "fixed" }),
    defineResource({ name: "failing", uri: "test://failing", read: fail }),
    defineResource({
      name: "items",
      uriTemplate: "item://{id}",
      complete: { id: (typed) => ["one", "two"].filter((id) => id.startsWith(typed)) },
      read: ({ id }) => `item ${String(id)}`,
    }),
  ],
  prompts: [
    definePrompt({
      name: "greet",
      arguments: z.object({ who: z.string() }),
      complete: { who: () => ["Ada"] },
      render: ({ who }) => `Hello, ${who}!`,
    }),
    definePrompt({ name: "failing", complete: { any: fail }, render: fail }),
  ],
});

describe.each(["legacy", "modern"] as const)("resources and prompts, %s", (era) => {
  let http: RunningHttpServer;
  let peer: RawPeer;
  beforeAll(async () => {
    http = await serveHttp(registry, { port: 0, logger: silentLogger });
    peer = await openRawHttp(`${http.url}/mcp`, era);
  });
  afterAll(async () => {
    await peer.close();
    await http.close();
  });

  const complete = (name: string, prompt = "greet") =>
    peer.request("completion/complete", {
      ref: { type: "ref/prompt", name: prompt },
      argument: { name, value: "" },
    });

  it("are read and rendered", async () => {
    expect((await peer.request("resources/read", { uri: "item://one" })).result?.["contents"]).toEqual([
      { uri: "item://one", text: "item one" },
    ]);
    expect(
      (await peer.request("prompts/get", { name: "greet", arguments: { who: "Ada" } })).result,
    ).toMatchObject({
      messages: [{ role: "user", content: { type: "text", text: "Hello, Ada!" } }],
    });
    expect((await complete("who")).result?.["completion"]).toEqual({
      values: ["Ada"],
      total: 1,
      hasMore: false,
    });
  });

  it.each(["constructor", "toString", "__proto__", "hasOwnProperty", "nope"])(
    "have no completion of an argument called %s",
    async (name) => {
      expect((await complete(name)).result?.["completion"]).toEqual({ values: [], total: 0, hasMore: false });
    },
  );

  it.each([
    ["resources/read", { uri: "test://failing" }, -32_603, "INTERNAL_ERROR"],
    ["resources/read", { uri: "test://nowhere" }, -32_602, "NOT_FOUND"],
    ["prompts/get", { name: "failing" }, -32_603, "INTERNAL_ERROR"],
    ["prompts/get", { name: "greet" }, -32_602, "MISSING_REQUIRED"],
    ["prompts/get", { name: "__proto__" }, -32_602, "NOT_FOUND"],
  ])(
    "%s of %o fails with an envelope in the error, and gives nothing away",
    async (method, params, code, errorCode) => {
      const { error } = await peer.request(method, params);
      expect(error?.code).toBe(code);
      expect(findLeaks(JSON.stringify(error))).toEqual([]);
      // The protocol requires the address of the resource in the data of the error, in addition to other
      // members.
      const { uri, ...envelope } = (error?.data ?? {}) as Failure & { uri?: string };
      expect(uri).toBe("uri" in params ? params.uri : undefined);
      expect(checkEnvelope(envelope, { deep: true })).toEqual([]);
      expect((envelope as Failure).data.error_code).toBe(errorCode);
    },
  );

  it("keep to themselves why a completion fails", async () => {
    const { error } = await complete("any", "failing");
    expect(error?.code).toBe(-32_603);
    expect(findLeaks(JSON.stringify(error))).toEqual([]);
  });
});

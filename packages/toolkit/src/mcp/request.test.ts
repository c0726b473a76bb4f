import type { Server, ServerContext } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { markAuthenticated } from "../context/principal.ts";
import { clientOf, principalOf } from "./request.ts";

const contextWith = (authInfo: object | undefined) =>
  ({ http: authInfo === undefined ? undefined : { authInfo }, mcpReq: {} }) as unknown as ServerContext;

describe("the caller", () => {
  it("is the principal that our own server authenticated", () => {
    const principal = markAuthenticated({ id: "ann", role: "observer" });
    expect(principalOf(contextWith({ clientId: "ann", extra: { principal } }))).toBe(principal);
  });

  it("is only a name where another server authenticated it", () => {
    const principal = { id: "evil", role: "maintainer", tier: "enterprise" };
    expect(principalOf(contextWith({ clientId: "oauth-client-7", extra: { principal } }))).toEqual({
      id: "oauth-client-7",
    });
  });

  it("is undefined where nobody was authenticated", () => {
    expect(principalOf(contextWith(undefined))).toBeUndefined();
    expect(principalOf(contextWith({ clientId: "", extra: { principal: { id: "x" } } }))).toBeUndefined();
  });

  it.each([
    ["x".repeat(1_000_000), "x".repeat(200)],
    ["", "unknown"],
  ])("has a name of limited length", (name, expected) => {
    const server = { getClientVersion: () => ({ name, version: "1" }) } as unknown as Server;
    expect(clientOf(server, contextWith(undefined))).toEqual({ name: expected, version: "1" });
  });
});

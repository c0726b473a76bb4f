import { describe, expect, it } from "vitest";
import { defaultRoles } from "../context/roles.ts";
import { createAuthenticator } from "./authenticate.ts";
import { hashToken } from "./token-grant.ts";

const ann = "token-of-ann-0123456789";
const bob = "token-of-bob-0123456789";
const old = "token-of-2019-0123456789";
const next = "token-of-2099-0123456789";
const authenticator = createAuthenticator(
  [
    { token: ann, principal: "ann" },
    { sha256: `sha256:${hashToken(bob).toString("hex")}`, principal: "bob", role: "observer" },
    { token: old, principal: "ann", expires: "2020-01-31T12:00:00Z" },
    { token: next, principal: "ann", expires: new Date(Date.now() + 3_600_000) },
  ],
  'Häfen "1"',
  defaultRoles,
);
const identify = (authorization?: string) => {
  const headers = new Headers(authorization === undefined ? {} : { authorization });
  const identity = authenticator.identify(headers);
  if (identity.refusal === undefined) return identity.principal;
  const { message, options } = identity.refusal;
  const { reason } = options.details as { readonly reason: string };
  return [options.errorCode, reason, message, identity.headers["www-authenticate"]];
};

const missing = ["UNAUTHORIZED", "missing", "A bearer token is required", 'Bearer realm="H_fen _1_"'];
const unknown = [
  "UNAUTHORIZED",
  "wrong",
  "The bearer token is not known here",
  'Bearer realm="H_fen _1_", error="invalid_token"',
];

describe("a bearer token", () => {
  it("identifies the caller, whether the grant holds the token or its hash", () => {
    expect(identify(`Bearer ${ann}`)).toEqual({ id: "ann" });
    expect(identify(`bearer  ${bob}`)).toEqual({ id: "bob", role: "observer" });
  });

  it("is refused from the time on at which it expires", () => {
    expect(identify(`Bearer ${next}`)).toEqual({ id: "ann" });
    expect(identify(`Bearer ${old}`)).toEqual([
      "UNAUTHORIZED",
      "expired",
      "The bearer token has expired",
      'Bearer realm="H_fen _1_", error="invalid_token"',
    ]);
  });

  it.each([undefined, "", "Bearer", "Bearer ", "Basic YW5uOmFubg==", ann])("is missing in %j", (sent) => {
    expect(identify(sent)).toEqual(missing);
  });

  it.each([
    `Bearer ${ann}x`,
    `Bearer ${ann.slice(0, -1)}`,
    `Bearer ${ann.toUpperCase()}`,
    `Bearer ${ann}, Bearer ${bob}`,
    `Bearer sha256:${hashToken(bob).toString("hex")}`,
    `Bearer ${hashToken(bob).toString("hex")}`,
    `Bearer ${"x".repeat(10_000)}`,
  ])("is unknown in %.40s", (sent) => {
    expect(identify(sent)).toEqual(unknown);
  });
});

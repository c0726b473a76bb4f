import { isContractError } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import { hashToken, readGrants, type TokenGrant } from "./token-grant.ts";

const token = "planted-secret-0123456789";
const sha256 = `sha256:${hashToken(token).toString("hex")}`;

const refusalOf = (grants: unknown): unknown => {
  try {
    return readGrants(grants as TokenGrant[]);
  } catch (thrown) {
    return isContractError(thrown) ? [thrown.message, thrown.options.remediation] : thrown;
  }
};

describe("grants", () => {
  it("are kept as hashes, however they were given", () => {
    const hash = hashToken(token);
    const principal = { id: "ann", role: "observer", tier: "pro" };
    expect(readGrants([{ token, principal: "ann" }])).toEqual([{ hash, principal: { id: "ann" } }]);
    const hashed = { sha256: sha256.toUpperCase().replace("SHA", "sha"), principal: "ann" };
    expect(readGrants([{ ...hashed, role: "observer", tier: "pro" }])).toEqual([{ hash, principal }]);
    expect(
      readGrants([
        { token, principal: "ann" },
        { token: `${token}2`, principal: "ann" },
      ]),
    ).toHaveLength(2);
  });

  it.each<[string, unknown, string, string]>([
    ["none", [], "tokens is empty, so nobody could call", "Name a token, or leave tokens out."],
    [
      "no name",
      [{ token, principal: " " }],
      "tokens[0].principal is blank",
      "Name who calls with the token.",
    ],
    ["no name at all", [{ token }], "tokens[0].principal is blank", "Name who calls with the token."],
    [
      "a short token",
      [{ token: token.slice(0, 15), principal: "ann" }],
      "tokens[0].token is shorter than 16 characters",
      "Take a longer one: openssl rand -hex 32",
    ],
    [
      "a token that no header can hold",
      [{ token: `${token} more`, principal: "ann" }],
      "tokens[0].token cannot stand in a header",
      "Use letters, digits and -._~+/ only.",
    ],
    [
      "a hash as token",
      [{ token: sha256, principal: "ann" }],
      "tokens[0].token is a hash",
      "Set it as tokens[0].sha256.",
    ],
    [
      "a token as hash",
      [{ sha256: token, principal: "ann" }],
      "tokens[0].sha256 is no hash",
      "Write sha256: and the 64 hex digits of the token's SHA-256.",
    ],
    [
      "both",
      [{ token, sha256, principal: "ann" }],
      "tokens[0] needs one of token and sha256",
      "Give the token, or its hash, and not both.",
    ],
    [
      "neither",
      [{ principal: "ann" }],
      "tokens[0] needs one of token and sha256",
      "Give the token, or its hash, and not both.",
    ],
    [
      "a token twice",
      [
        { token: `${token}2`, principal: "eve" },
        { token, principal: "ann" },
        { sha256, principal: "bob" },
      ],
      "tokens[1] and tokens[2] are the same token",
      "Give each grant its own.",
    ],
    [
      "an unknown role",
      [{ token, principal: "ann", role: "admin" }],
      'tokens[0].role "admin" is none of observer, maintainer',
      "Use observer or maintainer.",
    ],
    [
      "an unknown tier",
      [{ token, principal: "ann", tier: "gold" }],
      'tokens[0].tier "gold" is none of community, pro, enterprise',
      "Use community or pro or enterprise.",
    ],
  ])("are refused with %s, and the token is not told", (_title, grants, fault, remediation) => {
    const refusal = refusalOf(grants);
    expect(refusal).toEqual([`Cannot create a server over HTTP: ${fault}`, remediation]);
    expect(JSON.stringify(refusal)).not.toContain(token.slice(0, 8));
  });
});

import { isContractError } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import { isAuthenticated } from "../context/principal.ts";
import { defaultRoles } from "../context/roles.ts";
import { hashToken, parseGrants, type TokenGrant } from "./token-grant.ts";

const token = "planted-secret-0123456789";
const sha256 = `sha256:${hashToken(token).toString("hex")}`;

const refusalOf = (grants: unknown): unknown => {
  try {
    return parseGrants(grants as TokenGrant[], defaultRoles);
  } catch (thrown) {
    return isContractError(thrown) ? [thrown.message, thrown.options.remediation] : thrown;
  }
};

describe("grants", () => {
  it("are stored as hashes, given as tokens or as hashes", () => {
    const hash = hashToken(token);
    const principal = { id: "ann", role: "observer", tier: "pro" };
    expect(parseGrants([{ token, principal: "ann" }], defaultRoles)).toEqual([
      { hash, principal: { id: "ann" } },
    ]);
    const hashed = { sha256: sha256.toUpperCase().replace("SHA", "sha"), principal: "ann" };
    expect(parseGrants([{ ...hashed, role: "observer", tier: "pro" }], defaultRoles)).toEqual([
      { hash, principal },
    ]);
    expect(
      parseGrants(
        [
          { token, principal: "ann" },
          { token: `${token}2`, principal: "ann" },
        ],
        defaultRoles,
      ),
    ).toHaveLength(2);
  });

  it("may give the roles of their server, and no others", () => {
    const author = { token, principal: "ann", role: "author" };
    expect(parseGrants([author], ["reader", "author"])).toEqual([
      { hash: hashToken(token), principal: { id: "ann", role: "author" } },
    ]);
    expect(refusalOf([author])).toEqual([
      'Cannot create a server over HTTP: tokens[0].role "author" is none of observer, maintainer',
      "Use observer or maintainer.",
    ]);
  });

  it("may expire, at a time with its zone", () => {
    const expiryOf = (expires: unknown) =>
      refusalOf([{ token, principal: "ann", expires }]) as readonly unknown[];
    const expiresAt = Date.parse("2030-01-31T12:00:00Z");
    const parsed = [{ hash: hashToken(token), principal: { id: "ann" }, expiresAt }];
    for (const time of ["2030-01-31T12:00:00Z", "2030-01-31T13:00+01:00", new Date(expiresAt)])
      expect(expiryOf(time)).toEqual(parsed);
    for (const time of [
      "2030-01-31",
      "2030-01-31T12:00:00",
      "2030-02-31T12:00Zulu",
      1e12,
      new Date("x"),
      null,
    ])
      expect(expiryOf(time)).toEqual([
        "Cannot create a server over HTTP: tokens[0].expires is no time",
        "Write a time with its zone, such as 2030-01-31T12:00:00Z.",
      ]);
  });

  it("give principals that count as authenticated", () => {
    expect(
      parseGrants([{ token, principal: "ann" }], defaultRoles).map(({ principal }) =>
        isAuthenticated(principal),
      ),
    ).toEqual([true]);
  });

  it.each<[string, unknown, string, string]>([
    ["no list", token, "tokens is not a list", "List who may call, or leave tokens out."],
    ["a text", [token], "tokens[0] is no object", "Use token, sha256, principal, role, tier, expires."],
    ["nothing", [null], "tokens[0] is no object", "Use token, sha256, principal, role, tier, expires."],
    [
      "a key that is misspelt",
      [
        { token: `${token}2`, principal: "ann" },
        { token, principal: "ann", rolle: "observer" },
      ],
      "tokens[1].rolle is an unknown key: did you mean role?",
      "Use token, sha256, principal, role, tier, expires.",
    ],
    [
      "a key that is not known",
      [{ token, principal: "ann", until: "2030" }],
      "tokens[0].until is an unknown key",
      "Use token, sha256, principal, role, tier, expires.",
    ],
    [
      "a token as key",
      [{ [token]: "ann" }],
      "tokens[0] has a key that is not known",
      "Use token, sha256, principal, role, tier, expires.",
    ],
    ["none", [], "tokens is empty, so nobody could call", "Name a token, or leave tokens out."],
    [
      "no name",
      [{ token, principal: " " }],
      "tokens[0].principal is blank",
      "Name who calls with the token.",
    ],
    [
      "the name of this machine's own users",
      [{ token, principal: "local" }],
      `tokens[0].principal is "local": it could read what local users of this machine have archived`,
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
      "tokens[0].token contains characters that are not allowed in a header",
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
      "a misspelt role",
      [{ token, principal: "ann", role: "Observer" }],
      'tokens[0].role "Observer" is none of observer, maintainer: did you mean observer?',
      "Use observer or maintainer.",
    ],
    [
      "a token in place of the role",
      [{ sha256, principal: "ann", role: token }],
      "tokens[0].role is none of observer, maintainer",
      "Use observer or maintainer.",
    ],
    [
      "an unknown tier",
      [{ token, principal: "ann", tier: "gold" }],
      'tokens[0].tier "gold" is none of community, pro, enterprise',
      "Use community or pro or enterprise.",
    ],
  ])("are refused with %s, without quoting the token", (_title, grants, fault, remediation) => {
    const refusal = refusalOf(grants);
    expect(refusal).toEqual([`Cannot create a server over HTTP: ${fault}`, remediation]);
    expect(JSON.stringify(refusal)).not.toContain(token.slice(0, 8));
  });
});

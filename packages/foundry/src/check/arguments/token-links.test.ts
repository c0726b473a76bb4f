import { describe, expect, it } from "vitest";
import { TokenLinks } from "./token-links.ts";

const learned = (...objects: readonly object[]) => {
  const links = new TokenLinks();
  for (const object of objects) links.learn(object, Object.keys(object));
  return links;
};
const one = { spec_id: "s", task_id: "t-1", claim_token: "token of t-1" };

describe("tokens and the things that they were given for", () => {
  it.each<[string, object, string | undefined]>([
    ["the same thing", { action: "start", spec_id: "s", task_id: "t-1" }, "token of t-1"],
    ["the same thing, named by less", { task_id: "t-1" }, "token of t-1"],
    ["another thing of the same owner", { spec_id: "s", task_id: "t-2" }, undefined],
    ["a thing of the same id of another owner", { spec_id: "other", task_id: "t-1" }, undefined],
    ["the owner", { spec_id: "s" }, "token of t-1"],
    ["something more specific", { spec_id: "s", task_id: "t-1", step_id: "x" }, undefined],
    ["nothing", { action: "start" }, undefined],
  ])("finds the token for %s", (_, args, token) => {
    expect(learned(one).find("claim_token", args)).toBe(token);
    expect(learned(one).find("other_token", args)).toBe(undefined);
  });

  it("finds the newest", () => {
    expect(learned(one, { ...one, claim_token: "newer" }).find("claim_token", one)).toBe("newer");
  });

  it.each([
    { claim_token: "of nothing" },
    { task_id: "t-1", claim_token: 7 },
    { task_id: "t-1", claim_token: "x".repeat(1_001) },
  ])("learns nothing of $claim_token", (object) => {
    expect(learned(object).find("claim_token", { task_id: "t-1" })).toBe(undefined);
  });

  it("keeps the last 500", () => {
    const many = Array.from({ length: 501 }, (_, at) => ({ task_id: `t-${at}`, claim_token: `token ${at}` }));
    const links = learned(...many);
    expect([0, 1, 500].map((at) => links.find("claim_token", { task_id: `t-${at}` }))).toEqual([
      undefined,
      "token 1",
      "token 500",
    ]);
  });
});

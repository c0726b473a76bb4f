import { isContractError } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import { defineResource } from "../define/resource.ts";
import { narrowListen, subscribe } from "./subscriptions.ts";

const read = () => "text";
const resources = [
  defineResource({ uri: "x://list", name: "list", read }),
  defineResource({ uriTemplate: "x://item/{id}", name: "item", read }),
];

/** Subscribes to a resource, and returns the failure as code, message and remedy. */
function refusalOf(uri: string, subscriptions = new Set<string>()): unknown {
  try {
    subscribe(subscriptions, resources, uri);
    return undefined;
  } catch (thrown) {
    if (!isContractError(thrown)) throw thrown;
    return [thrown.code, thrown.message, thrown.options.remediation];
  }
}

describe("a subscription", () => {
  it("is taken for a resource of the server", () => {
    const subscriptions = new Set<string>();
    for (const uri of ["x://list", "x://item/1", "x://item/1"]) {
      expect(refusalOf(uri, subscriptions)).toBeUndefined();
    }
    expect([...subscriptions]).toEqual(["x://list", "x://item/1"]);
  });

  it.each(["x://lists", "file:///etc/passwd", "", "x://item/1/2", "y".repeat(1_024)])(
    "is refused for another: %j",
    (uri) => {
      const [code] = refusalOf(uri) as [string];
      expect(code).toBe("NOT_FOUND");
    },
  );

  it("is refused for a URI that is too long, without repeating it", () => {
    expect(refusalOf(`x://item/${"1".repeat(2_000)}`)).toEqual([
      "VALIDATION_ERROR",
      "Cannot subscribe: the URI has 2009 characters",
      "Subscribe to a URI that resources/list returns.",
    ]);
  });

  it("is refused where there are too many, until one ends", () => {
    const subscriptions = new Set<string>();
    for (let id = 0; id < 100; id++) expect(refusalOf(`x://item/${id}`, subscriptions)).toBeUndefined();
    expect(refusalOf("x://item/0", subscriptions)).toBeUndefined();
    expect(refusalOf("x://list", subscriptions)).toEqual([
      "RESOURCE_EXHAUSTED",
      "Cannot subscribe: this session has 100 subscriptions already",
      "Unsubscribe from another resource with resources/unsubscribe, then subscribe again.",
    ]);
    subscriptions.delete("x://item/7");
    expect(refusalOf("x://list", subscriptions)).toBeUndefined();
  });
});

describe("a request to listen", () => {
  const listen = (resourceSubscriptions: unknown) => ({
    method: "subscriptions/listen",
    params: { _meta: { a: 1 }, notifications: { toolsListChanged: true, resourceSubscriptions } },
  });

  it("is reduced to resources of the server, up to the maximum", () => {
    const uris = [
      "x://list",
      "file:///etc/passwd",
      "x://item/1",
      "x://list",
      `x://item/${"1".repeat(2_000)}`,
    ];
    expect(narrowListen(listen(uris), resources)).toEqual(listen(["x://list", "x://item/1"]));
    const many = Array.from({ length: 5_000 }, (_, id) => `x://item/${id}`);
    expect(narrowListen(listen(many), resources)).toEqual(listen(many.slice(0, 100)));
  });

  it.each([
    [listen("x://list")],
    [listen(["x://list", 1])],
    [{ method: "subscriptions/listen" }],
    [{ method: "subscriptions/listen", params: { notifications: null } }],
    [null],
  ])("is left as it is where it is malformed: %j", (message) => {
    expect(narrowListen(message, resources)).toBe(message);
  });
});

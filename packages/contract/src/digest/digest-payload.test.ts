import { describe, expect, it } from "vitest";
import { digestContentType, isDigest } from "./digest-payload.ts";

describe("isDigest", () => {
  it("knows a digested source by its content type alone", () => {
    expect(digestContentType).toBe("digest/v1");
    expect(isDigest({ content_type: "digest/v1", content: "{}" })).toBe(true);
  });

  it.each([
    {},
    { content_type: undefined },
    { content_type: null },
    { content_type: "text/plain" },
    { content_type: "Digest/v1" },
    { content_type: "digest/v1 " },
    { content_type: "digest/v2" },
    { content_type: ["digest/v1"] },
  ])("takes %j for a raw source", (source) => {
    expect(isDigest(source)).toBe(false);
  });

  it("narrows the type of the source", () => {
    const source: { content_type?: string; content: string } = { content_type: "digest/v1", content: "{}" };
    if (!isDigest(source)) throw new Error("unreachable");
    const type: "digest/v1" = source.content_type;
    expect(type).toBe("digest/v1");
  });
});

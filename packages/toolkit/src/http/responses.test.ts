import { describe, expect, it } from "vitest";
import { toRateLimitHeaders } from "./responses.ts";

const quota = {
  isAllowed: true,
  policy: "default",
  limit: 100,
  remaining: 99,
  periodSeconds: 60,
  resetMs: 57_001,
};

describe("the rate limit headers", () => {
  it("are structured fields in whole seconds", () => {
    expect(toRateLimitHeaders(quota)).toEqual({
      "ratelimit-policy": '"default";q=100;w=60',
      ratelimit: '"default";r=99;t=58',
    });
    expect(toRateLimitHeaders({ ...quota, policy: 'a"\\é\n' })).toMatchObject({
      ratelimit: '"a\\"\\\\__";r=99;t=58',
    });
  });

  it("are absent where there is no quota", () => {
    expect(toRateLimitHeaders(undefined)).toEqual({});
  });
});

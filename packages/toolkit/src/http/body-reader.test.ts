import { isContractError } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import { createBodyReader } from "./body-reader.ts";

const long = JSON.stringify("x".repeat(70_000));

/** An upload that ends when the test ends it. */
function upload(
  reader: ReturnType<typeof createBodyReader>,
  id: string,
  headers: Record<string, string> = {},
) {
  let finish: () => void = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      finish = () => {
        controller.enqueue(new TextEncoder().encode(long));
        controller.close();
      };
    },
  });
  const request = new Request("http://localhost/", {
    method: "POST",
    body,
    headers,
    duplex: "half",
  } as RequestInit);
  const outcome = reader.read(request, { id }).then(
    ({ kind }) => kind,
    (thrown: unknown) => (isContractError(thrown) ? [thrown.code, thrown.message] : thrown),
  );
  return { outcome, finish };
}

const displaced = ["RESOURCE_BUSY", "Cannot read the body: this caller uploads too much at once"];

describe("a reader of bodies", () => {
  it("lets the oldest upload of who uploads the most give way", async () => {
    const reader = createBodyReader(100_000, 300_000);
    const many = Array.from({ length: 4 }, () => upload(reader, "ann"));
    const other = upload(reader, "bob");
    for (const { finish } of [...many, other]) finish();
    expect(await Promise.all([...many, other].map(({ outcome }) => outcome))).toEqual([
      displaced,
      displaced,
      "json",
      "json",
      "json",
    ]);
  });

  it("counts the declared length, and nothing for short bodies or those that are refused unread", async () => {
    const reader = createBodyReader(100_000, 150_000);
    const first = upload(reader, "ann", { "content-length": "70000" });
    const others = [
      upload(reader, "ann", { "content-length": "70002" }),
      upload(reader, "ann", { "content-length": "9" }),
      upload(reader, "ann", { "content-length": "100001" }),
    ];
    for (const { finish } of [first, ...others]) finish();
    expect(await Promise.all([first, ...others].map(({ outcome }) => outcome))).toEqual([
      "json",
      "json",
      "json",
      "too_large",
    ]);
  });

  it("forgets uploads that have ended", async () => {
    const reader = createBodyReader(100_000, 100_000);
    for (let index = 0; index < 3; index++) {
      const { outcome, finish } = upload(reader, "ann");
      finish();
      expect(await outcome).toBe("json");
    }
  });
});

import { expect, it } from "vitest";
import { createLazyResource } from "./lazy-resource.ts";

const resourceOf = (name: string) => ({ name, close: async () => {} });

it("opens once, and serves every purpose from then on", async () => {
  const opened: string[] = [];
  const resource = createLazyResource(async (purpose: "read" | "write") => {
    opened.push(purpose);
    return resourceOf(purpose);
  });
  const [first, second] = await Promise.all([resource.get("read"), resource.get("write")]);
  expect([first.name, second.name, (await resource.get("write")).name]).toEqual(["read", "read", "read"]);
  expect(opened).toEqual(["read"]);
});

it("does not fail for one purpose because another failed at the same time", async () => {
  const resource = createLazyResource(async (purpose: "read" | "write") => {
    if (purpose === "read") throw new Error("not set up");
    return resourceOf(purpose);
  });
  const reading = resource.get("read");
  const writing = resource.get("write");
  await expect(reading).rejects.toThrow("not set up");
  expect((await writing).name).toBe("write");
  // The resource that the write opened also serves reads.
  expect((await resource.get("read")).name).toBe("write");
});

it("tries again after a failure", async () => {
  let tries = 0;
  const resource = createLazyResource(async () => {
    tries += 1;
    if (tries === 1) throw new Error("away");
    return resourceOf("back");
  });
  await expect(resource.get()).rejects.toThrow("away");
  expect((await resource.get()).name).toBe("back");
});

it("has nothing to close if it was not opened, and while a failing open is running", async () => {
  const resource = createLazyResource(async (): Promise<{ close(): Promise<void> }> => {
    throw new Error("away");
  });
  await resource.close();
  const opening = resource.get();
  await Promise.all([expect(opening).rejects.toThrow("away"), resource.close()]);
});

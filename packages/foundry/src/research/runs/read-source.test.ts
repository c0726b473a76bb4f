import { expect, it } from "vitest";
import { readSource } from "./read-source.ts";
import { ada, createMemoryServices } from "./testing/memory-services.ts";

it("A reading that is broken off says nothing of its source", async () => {
  const services = await createMemoryServices({});
  const stop = new AbortController();
  const find = () => {
    stop.abort(new Error("enough"));
    return Promise.reject(new Error("The connection was closed"));
  };
  const listed = { source_id: "source-1", source: { url: "https://a.test" } };
  const request = { question: "q", sources: [], max_sources: 1, snippets: 5 };
  const work = readSource(listed, request, { ...services, load: find }, ada, stop.signal);
  await expect(work).rejects.toThrow("enough");
});

import { describe } from "vitest";
import { createMemoryStore } from "./memory-store.ts";
import { describeSpecStore } from "./spec-store.suite.ts";

describe("createMemoryStore", () => {
  describeSpecStore(async () => {
    const store = createMemoryStore();
    return { store, close: () => store.close() };
  });
});

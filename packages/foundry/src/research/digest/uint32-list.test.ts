import { expect, it } from "vitest";
import { Uint32List } from "./uint32-list.ts";

it("Uint32List returns all pushed numbers", () => {
  for (const length of [0, 1, 63, 64, 65, 96, 97, 100_000]) {
    const list = new Uint32List();
    for (let at = 0; at < length; at++) list.push(2 ** 32 - 1 - at);
    expect(list.length).toBe(length);
    expect(list.toArray()).toEqual(Uint32Array.from({ length }, (_, at) => 2 ** 32 - 1 - at));
  }
});

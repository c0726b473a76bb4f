import { expect, it } from "vitest";
import { toQueryTerms } from "../digest/query-terms.ts";
import { temperWeights } from "./temper-weights.ts";

it("moves each weight half way to its even share, and keeps the sum", () => {
  const query = toQueryTerms("containers exchange data");
  expect(temperWeights([1, 9, 2], query)).toEqual([2.5, 6.5, 3]);
});

it("gives a generic word less than another word", () => {
  const query = toQueryTerms("find containers");
  expect(query.terms.map(({ weight }) => weight)).toEqual([0.4, 1]);
  const [generic, specific] = temperWeights([7, 7], query);
  expect([generic, specific].map((weight) => weight?.toFixed(2))).toEqual(["5.50", "8.50"]);
});

it("accepts a question without terms", () => {
  expect(temperWeights([], toQueryTerms(""))).toEqual([]);
});

import { expect, it } from "vitest";
import { limitOf } from "./parameters.ts";
import { referenceCalls } from "./reference-calls.ts";

const probes = [
  true,
  false,
  1,
  "x",
  "text",
  [],
  ["task-1-1"],
  [{ task_id: "task-1-1" }],
  {},
  "a/active/s.json",
];

/** The parameters of all calls that are functions, each with the values that it refuses. */
const functions = referenceCalls.flatMap(({ tool, action, parameters = {} }) =>
  Object.entries(parameters).flatMap(([name, parameter]) => {
    if (typeof parameter === "string") return [];
    const refused = probes.filter(
      (value) => typeof parameter(value, { tasks: [], [name]: value }) === "string",
    );
    return [{ name: `${tool} ${action} ${name}`, limit: limitOf(parameter), refused }];
  }),
);

it("marks every parameter that takes none of many values, and refuses every value of those marked as refused", () => {
  const refusesAll = functions.filter(({ refused }) => refused.length === probes.length);
  expect(refusesAll.filter(({ limit }) => limit === undefined)).toEqual([]);
  const marked = functions.filter(({ limit }) => limit === "refused");
  expect(marked.filter((each) => !refusesAll.includes(each))).toEqual([]);
  expect(marked.map(({ name }) => name)).toContain("environment verify-env required_packages");
});

it("marks every parameter that has to be true or false", () => {
  const isBoolean = (value: unknown) => typeof value === "boolean";
  const unmarked = functions.filter(
    ({ refused, limit }) => refused.filter(isBoolean).length === 1 && limit === undefined,
  );
  expect(unmarked).toEqual([]);
});

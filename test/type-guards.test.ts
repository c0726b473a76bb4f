import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./source-files.ts";

/** Untrusted values, which a type guard may receive before they are validated. */
const hostileValues: Readonly<Record<string, unknown>> = {
  undefined: undefined,
  null: null,
  "a number": 7,
  NaN: Number.NaN,
  "a text": "digest/v1",
  "a boolean": true,
  "a symbol": Symbol("s"),
  "a bigint": 1n,
  "a function": () => 1,
  "an array": [],
  "an object without prototype": Object.create(null),
  "a getter that throws": {
    get content_type() {
      throw new Error("no");
    },
    get success() {
      throw new Error("no");
    },
  },
  "a proxy that throws": new Proxy({}, throwingTraps()),
  "a proxy of an error that throws": new Proxy(new Error("e"), throwingTraps()),
  "a revoked proxy": revokedProxy(),
};

function throwingTraps(): ProxyHandler<object> {
  const refuse = () => {
    throw new Error("no");
  };
  return {
    get: refuse,
    has: refuse,
    ownKeys: refuse,
    getPrototypeOf: refuse,
    getOwnPropertyDescriptor: refuse,
  };
}

function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** Predicates over values that the program itself has created, such as paths and states of files. */
const overOwnValues = [
  "isAllowedFolder",
  "isBelow",
  "isRemoteFolder",
  "isSameFile",
  "isSameText",
  "isTooDeep",
];

type Predicate = (value: unknown) => unknown;

/** The predicates that the entry points of all packages export. */
async function readPredicates(): Promise<ReadonlyMap<string, Predicate>> {
  const found = new Map<string, Predicate>();
  for (const folder of ["contract", "toolkit", "foundry"]) {
    const text = readFileSync(join(root, "packages", folder, "package.json"), "utf8");
    const { name, exports } = JSON.parse(text) as { name: string; exports: Record<string, unknown> };
    for (const path of Object.keys(exports).filter((key) => !key.endsWith(".json"))) {
      const names = (await import(join(name, path))) as Record<string, unknown>;
      for (const [key, value] of Object.entries(names)) {
        const isPredicate = /^is[A-Z]/.test(key) && typeof value === "function";
        if (isPredicate && !overOwnValues.includes(key)) found.set(key, value as Predicate);
      }
    }
  }
  return found;
}

it("every exported type guard answers for every value, and throws for none", async () => {
  const predicates = await readPredicates();
  expect([...predicates.keys()].toSorted()).toEqual([
    "isContractError",
    "isDigest",
    "isEnvelope",
    "isInputRequired",
    "isJobId",
    "isLocator",
    "isMissing",
    "isQuotable",
    "isRecord",
    "isRetryable",
  ]);
  const wrong: string[] = [];
  for (const [name, predicate] of predicates) {
    for (const [title, value] of Object.entries(hostileValues)) {
      try {
        if (typeof predicate(value) !== "boolean") wrong.push(`${name} of ${title} is no boolean`);
      } catch (thrown) {
        wrong.push(`${name} of ${title} throws ${String(thrown)}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

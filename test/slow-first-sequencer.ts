import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Short test files that take long because of their suites and servers. If such a file started last, it would
 * run alone at the end, on a single core.
 */
const slow = [
  "test/attacks/stdio.prove.test.ts",
  "test/attacks/http.prove.test.ts",
  "test/attacks/command-line.prove.test.ts",
  "test/attacks/start.prove.test.ts",
  "test/check/hostile.prove.test.ts",
  "test/check/zoo.prove.test.ts",
  "packages/foundry/src/specs/stores/file-store/hostile-sidecar.prove.test.ts",
  "test/toolkit/fuzz.prove.test.ts",
  "test/conformance/conformance.prove.test.ts",
  "test/packing/packing.prove.test.ts",
  "test/toolkit/fuzz.test.ts",
  "test/specs/dry-run.test.ts",
  "test/examples.test.ts",
  "test/check/deep-definitions.test.ts",
  "packages/foundry/src/specs/stores/postgres/postgres-store.test.ts",
];

/**
 * Starts the files that are known to be slow first. The other files follow in Vitest's order, which is by time if
 * known, and otherwise by size.
 */
export class SlowFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = slow.findIndex((path) => moduleId.endsWith(`/${path}`));
      return index < 0 ? slow.length : index;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

import fc from "fast-check";
import { expect, it } from "vitest";
import { InProcessQueue } from "./in-process-queue.ts";

it("serves waiters one at a time in order, except those that abort", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 12 }), async (givesUp) => {
      const queue = new InProcessQueue();
      const first = await queue.enter("a", new AbortController().signal);
      const turns: number[] = [];
      const controls = givesUp.map(() => new AbortController());
      const waits = givesUp.map(async (_, index) => {
        const leave = await queue.enter("a", controls[index]!.signal);
        turns.push(index);
        await Promise.resolve();
        leave();
        leave();
      });
      const ends = Promise.allSettled(waits);
      givesUp.forEach((isOut, index) => void (isOut && controls[index]?.abort()));
      (await queue.enter("b", new AbortController().signal))();
      first();
      const outcomes = (await ends).map(({ status }) => status === "rejected");
      expect(outcomes).toEqual(givesUp);
      expect(turns).toEqual(givesUp.flatMap((isOut, index) => (isOut ? [] : [index])));
    }),
  );
});

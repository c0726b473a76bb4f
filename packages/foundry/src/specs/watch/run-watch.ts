import { setTimeout as sleep } from "node:timers/promises";
import { openBoard } from "./board.ts";
import { toFrame } from "./frame.ts";
import { runLines } from "./run-lines.ts";
import { screenColors } from "./screen.ts";
import { openTerminal } from "./terminal.ts";
import { isLeaseActive, type WatchOptions } from "./watch-state.ts";
import { openChangedIds } from "./watch-store.ts";

/** Watches specs: a live view on a terminal, otherwise a line of JSON for each change. */
export async function runWatch(options: WatchOptions): Promise<void> {
  const { stdout, env } = options;
  // File watchers do not keep the process alive.
  const alive = setInterval(() => {}, 2 ** 30);
  try {
    await (stdout.isTTY && env["TERM"] !== "dumb" ? runScreen(options) : runLines(options));
  } finally {
    clearInterval(alive);
  }
}

/** The least time between two reads of the store, so that many changes are read at once. */
const pauseMs = 100;

/** Shows a live view on a terminal until the user quits or the signal fires. */
async function runScreen({ store, specId, stdout, stdin, env, signal, now }: WatchOptions): Promise<void> {
  const ending = new AbortController();
  const end = AbortSignal.any([signal, ending.signal]);
  const changes = openChangedIds(store, end);
  const colors = screenColors(env);
  let tick: NodeJS.Timeout | undefined;
  try {
    // Before the screen is taken over, so that an error is printed normally.
    const board = await openBoard(store, specId, now);
    const terminal = openTerminal(stdout, stdin, { onResize: () => draw(), onEnd: () => ending.abort() });
    const draw = () => {
      const time = now();
      terminal.show(toFrame(board.state, { width: terminal.width, height: terminal.height, colors }, time));
      clearTimeout(tick);
      // The timer runs only while a lease counts down.
      const isCounting = [...board.state.held.values()].flat().some((task) => isLeaseActive(task, time));
      tick = isCounting ? setTimeout(draw, 1_000) : undefined;
    };
    try {
      draw();
      for (let ids = await changes.next(); ids.size > 0; ids = await changes.next()) {
        const started = performance.now();
        if (await board.refresh(ids)) draw();
        const tookMs = performance.now() - started;
        await sleep(Math.max(pauseMs, tookMs), undefined, { signal: end }).catch(() => {});
      }
    } finally {
      terminal.close();
    }
  } finally {
    clearTimeout(tick);
    changes.close();
  }
}

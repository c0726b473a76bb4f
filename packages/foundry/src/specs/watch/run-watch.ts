import { setTimeout as sleep } from "node:timers/promises";
import { openBoard } from "./board.ts";
import { toFrame } from "./frame.ts";
import { runLines } from "./run-lines.ts";
import { screenColors } from "./screen.ts";
import { openTerminal } from "./terminal.ts";
import { isLeaseActive, type WatchOptions } from "./watch-state.ts";
import { openChangedIds } from "./watch-store.ts";

/**
 * Watches specs. On a terminal, a live view is shown; otherwise, a line of JSON is written for each change.
 */
export async function runWatch(options: WatchOptions): Promise<void> {
  const { stdout, env, isPlain = false } = options;
  // File watchers do not keep the process alive, so a timer does.
  const alive = setInterval(() => {}, 2 ** 30);
  try {
    await (stdout.isTTY && env["TERM"] !== "dumb" && !isPlain ? runScreen(options) : runLines(options));
  } finally {
    clearInterval(alive);
  }
}

/**
 * The minimum time between two reads of the store in milliseconds, so that many changes are read together.
 */
const pauseMs = 100;

/** Shows a live view on a terminal until the user quits or the signal is aborted. */
async function runScreen({ store, specId, stdout, stdin, env, signal, now }: WatchOptions): Promise<void> {
  const ending = new AbortController();
  const end = AbortSignal.any([signal, ending.signal]);
  const changes = openChangedIds(store, end);
  const colors = screenColors(env);
  let tick: NodeJS.Timeout | undefined;
  try {
    // The board is opened before the terminal enters full-screen mode, so that an error is printed normally.
    const board = await openBoard(store, specId, now);
    const terminal = openTerminal(stdout, stdin, { onResize: () => draw(), onEnd: () => ending.abort() });
    const draw = () => {
      const time = now();
      terminal.show(toFrame(board.state, { width: terminal.width, height: terminal.height, colors }, time));
      clearTimeout(tick);
      // The timer runs only while a lease is active, because its remaining time is shown.
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

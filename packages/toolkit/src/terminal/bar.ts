import type { Canvas } from "../define/action.ts";
import { glyphsOf } from "./glyphs.ts";
import { type Span, styled } from "./line.ts";

/** Returns a progress bar, which is full only if `done` equals `total`. */
export function bar(done: number, total: number, columns: number, canvas: Canvas): readonly Span[] {
  const { barDone, barOpen } = glyphsOf(canvas);
  const share = total > 0 && done > 0 ? Math.min(1, done / total) : 0;
  const filled = Math.floor(share * columns);
  return [styled("green", barDone.repeat(filled)), styled("dim", barOpen.repeat(columns - filled))];
}

/** Returns a share in percent, which is 100 only if `done` equals `total`. */
export function percent(done: number, total: number): string {
  const share = total > 0 && done > 0 ? Math.min(1, done / total) : 0;
  return `${Math.floor(share * 100)} %`;
}

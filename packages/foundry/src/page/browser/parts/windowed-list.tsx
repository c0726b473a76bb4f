import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

/** A list of which only the rows in view are in the document. Every row knows its height. */
export interface WindowedListProps {
  readonly count: number;
  readonly heightOf: (index: number) => number;
  /** Changes when the heights change. */
  readonly heightKey: unknown;
  readonly render: (index: number) => ComponentChildren;
  readonly keyOf: (index: number) => string;
  readonly class?: string;
  /** The row that must be in the document and in view, such as the one with the focus. */
  readonly shown?: number | undefined;
  readonly attributes?: Readonly<Record<string, string | number | undefined>>;
  readonly listRef?: RefObject<HTMLDivElement | null>;
}

/** The height of the rows that are rendered above and below the view, so that scrolling shows no gaps. */
const overscan = 400;

/** Renders a list in a box that scrolls. */
export function WindowedList(props: WindowedListProps) {
  const { count, heightOf, heightKey, render, keyOf, shown, attributes = {} } = props;
  const own = useRef<HTMLDivElement>(null);
  const box = props.listRef ?? own;
  const [view, setView] = useState({ top: 0, height: 800 });
  const tops = useMemo(() => sumHeights(count, heightOf), [count, heightKey]);
  const total = tops[count] ?? 0;

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => {
      const next = { top: element.scrollTop, height: element.clientHeight };
      setView((before) => (before.top === next.top && before.height === next.height ? before : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, []);

  useEffect(() => {
    const element = box.current;
    if (element === null || shown === undefined || shown < 0 || shown >= count) return;
    const [top = 0, end = 0] = [tops[shown], tops[shown + 1]];
    if (top < element.scrollTop) element.scrollTop = top;
    else if (end > element.scrollTop + element.clientHeight) element.scrollTop = end - element.clientHeight;
  }, [shown]);

  const first = findRow(tops, count, view.top - overscan);
  const last = findRow(tops, count, view.top + view.height + overscan);
  const rows: number[] = [];
  for (let index = first; index <= last && index < count; index++) rows.push(index);
  if (shown !== undefined && shown >= 0 && shown < count && (shown < first || shown > last)) rows.push(shown);
  return (
    <div ref={box} class={`windowed ${props.class ?? ""}`} {...attributes}>
      <div class="windowed-space" role="presentation" style={{ height: `${total}px` }}>
        {rows.map((index) => (
          <div
            key={keyOf(index)}
            class="windowed-row"
            role="presentation"
            style={{ transform: `translateY(${tops[index]}px)`, height: `${heightOf(index)}px` }}
          >
            {render(index)}
          </div>
        ))}
      </div>
    </div>
  );
}

function sumHeights(count: number, heightOf: (index: number) => number): Float64Array {
  const tops = new Float64Array(count + 1);
  for (let index = 0; index < count; index++) tops[index + 1] = (tops[index] as number) + heightOf(index);
  return tops;
}

/** Returns the row at a distance from the top. */
function findRow(tops: Float64Array, count: number, at: number): number {
  let [low, high] = [0, Math.max(0, count - 1)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((tops[middle] as number) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

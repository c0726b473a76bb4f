/** The drawings of the icons, on a grid of 16 × 16. */
const paths = {
  search: "M7 12.5a5.5 5.5 0 1 1 0-11 5.5 5.5 0 0 1 0 11Zm4-1.5 3.5 3.5",
  board: "M2 2.5h3.5v11H2zM6.5 2.5H10v7H6.5zM11 2.5h3.5v9H11z",
  tree: "M2.5 3h4M5 3v9.5h3M5 7.5h3M8.5 7.5h5M8.5 12.5h5",
  graph: "M2 6.5h4v3H2zM10 2h4v3h-4zM10 11h4v3h-4zM6 8h2V3.5h2M8 8v4.5h2",
  history: "M8 4.5V8l2.5 1.5M2.5 8a5.5 5.5 0 1 0 1.6-3.9L2.5 5.7M2.5 2.5v3.2h3.2",
  stats: "M2.5 14V8.5M6.2 14V2.5M9.8 14V6M13.5 14v-3.5",
  close: "m3.5 3.5 9 9m0-9-9 9",
  plus: "M8 2.5v11M2.5 8h11",
  undo: "M5.5 2.5 2 6l3.5 3.5M2.5 6h7a4 4 0 0 1 0 8H6",
  more: "M3 8h.01M8 8h.01M13 8h.01",
  lock: "M4.5 7V5a3.5 3.5 0 0 1 7 0v2M3 7h10v6.5H3z",
  sun: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1",
  moon: "M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7Z",
  system: "M2 2.5h12v8.5H2zM5.5 14h5M8 11v3",
  chevron: "m6 3.5 4.5 4.5L6 12.5",
  up: "M8 13V3M3.5 7.5 8 3l4.5 4.5",
  down: "M8 3v10M3.5 8.5 8 13l4.5-4.5",
  person: "M8 7.5a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM2.5 14a5.5 5.5 0 0 1 11 0",
  link: "M6.5 9.5 9.5 6.5M7 4.5 8.7 2.8a3 3 0 0 1 4.3 4.3L11.3 8.8M9 11.5l-1.7 1.7a3 3 0 0 1-4.3-4.3L4.7 7.2",
  pulse: "M1.5 8h3l2-5 3 10 2-5h3",
  gate: "M2 14V6.5a6 6 0 0 1 12 0V14M5 14V7a3 3 0 0 1 6 0v7",
  check: "m2.5 8.5 3.5 3.5 7.5-8",
  list: "M2.5 4h11M2.5 8h11M2.5 12h7",
  edit: "M10.5 2.5 13.5 5.5 5.5 13.5 2 14l.5-3.5z",
  file: "M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3",
  clock: "M8 14a6 6 0 1 0 0-12 6 6 0 0 0 0 12ZM8 4.5V8l2.5 1.5",
} as const;

/** The name of an icon. */
export type IconName = keyof typeof paths;

/** An icon beside a text. A reader of the screen hears the text only. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}

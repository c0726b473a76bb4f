// Output for people: views of payloads, laid out on a terminal of any width, with control characters in the data
// escaped.
export type { Canvas, Colors } from "./define/action.ts";
export { age, timeLeft } from "./terminal/age.ts";
export { bar, percent } from "./terminal/bar.ts";
export { commandLines } from "./terminal/command-lines.ts";
export { type Field, fields } from "./terminal/fields.ts";
export { type Glyphs, glyphsOf } from "./terminal/glyphs.ts";
export {
  blank,
  indent,
  type Line,
  line,
  prose,
  render,
  type Span,
  type Style,
  styled,
} from "./terminal/line.ts";
export { list, section, stack, withLead } from "./terminal/list.ts";
export { createLogStream, type LogStream, type LogTarget } from "./terminal/log-stream.ts";
export { listOf, numberOf, recordOf, recordsOf, textOf, textsOf } from "./terminal/read-payload.ts";
export { type Column, shorten, type TableCell, table } from "./terminal/table.ts";
export { pluralize, toVisible, truncate, widthOf } from "./terminal/terminal-text.ts";
export { type TreeNode, tree } from "./terminal/tree.ts";
export { showView, type View, viewOf } from "./terminal/view.ts";
export { wordsOf } from "./terminal/words.ts";

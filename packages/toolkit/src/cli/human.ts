import {
  describeRemedy as describeCall,
  type Envelope,
  type Meta,
  type RemedyCall,
  type UnknownRecord,
} from "@foundry-mcp/contract";
import type { Canvas } from "../define/action.ts";
import { commandLines } from "../terminal/command-lines.ts";
import { defaultView } from "../terminal/default-view.ts";
import { type Line, line, prose, render, styled } from "../terminal/line.ts";
import { toVisible } from "../terminal/terminal-text.ts";

/**
 * Formats a payload for people: tables for lists of objects, `key: value` for other values, and the text `empty` for an
 * empty payload.
 */
export function toHumanData(data: UnknownRecord, canvas: Canvas, empty = "Nothing."): string {
  const entries = Object.entries(data);
  const [only] = entries;
  if (only === undefined) return `${empty}\n`;
  // A payload that is a single text, such as a document, is shown without its key, and outside a terminal without
  // formatting.
  const isPlain = entries.length === 1 && typeof only[1] === "string";
  if (isPlain && canvas.width === undefined) return `${toVisible(String(only[1]), { keepLines: true })}\n`;
  return render(isPlain ? prose(String(only[1])) : defaultView(data, canvas), canvas);
}

/** Formats the error, its remedy and the warnings of an envelope for people. */
export function toHumanNotes(envelope: Envelope, canvas: Canvas): string {
  const failure = envelope.success ? [] : showFailure(envelope.error, envelope.data, canvas);
  const warnings = warningsOf(envelope.meta).map((text) => ({
    text: [styled("yellow", "warning:"), ` ${text}`],
    hang: ["  "],
  }));
  return render([...failure, ...warnings], canvas);
}

function showFailure(error: string, data: UnknownRecord, canvas: Canvas): readonly Line[] {
  const { error_code: code, remediation, other_remedies: others = [] } = data;
  const [command, ...alternatives] = [data["remedy"], ...[others].flat()].map((each) =>
    toCommand(each, canvas),
  );
  const advice = remediation === undefined || namesCall(data) ? "" : toCell(remediation);
  const further = alternatives.filter((each) => each !== undefined);
  const listed = command === undefined ? [] : [command, ...further];
  const prose = withoutCommands(advice, listed);
  const leads = [
    styled("bold", "try:"),
    ...(prose === undefined ? [] : further.map(() => styled("bold", "or:"))),
  ];
  return [
    {
      text: [
        styled("red", `error: ${error}`),
        ...(code === undefined ? [] : [" ", styled("dim", `(${toCell(code)})`)]),
      ],
      hang: ["  "],
    },
    ...(advice === "" || saysOnly(advice, command) ? [] : [line(prose ?? advice)]),
    ...leads.flatMap((lead, index) => {
      const text = listed[index];
      return text === undefined ? [] : commandLines(text, canvas, { lead: [lead, " "] });
    }),
  ];
}

/**
 * Removes the commands from the advice, because the terminal lists the commands below the advice. The result
 * is, for example, "Complete task-1-1 first; or remove the dependency." Returns undefined if a command is
 * part of a sentence or is not in the advice.
 */
function withoutCommands(advice: string, commands: readonly string[]): string | undefined {
  let prose = advice;
  for (const command of commands) {
    const introduced = `: ${command}`;
    const [before = "", after, ...more] = prose.split(introduced);
    if (after === undefined || more.length > 0 || !/^[.;,]|^$/.test(after)) return undefined;
    prose = `${before}${after}`;
  }
  return prose;
}

/** True if the advice names a tool call, which cannot be typed because the tool has no command in this program. */
function namesCall({ remediation, remedy, other_remedies: others }: UnknownRecord): boolean {
  return [remedy, others]
    .flat()
    .some((each) => isCall(each) && String(remediation).includes(describeCall(each)));
}

function isCall(remedy: unknown): remedy is RemedyCall {
  return typeof remedy === "object" && remedy !== null && "tool" in remedy;
}

/** Returns the command for a remedy; undefined if the remedy cannot be typed in this program. */
function toCommand(remedy: unknown, { describeRemedy = describeCall }: Canvas): string | undefined {
  if (isCall(remedy)) {
    const text = describeRemedy(remedy);
    // A call of another server's tool has no command in this program.
    return text === describeCall(remedy) ? undefined : toVisible(text);
  }
  const { command } = (remedy ?? {}) as { readonly command?: unknown };
  return typeof command === "string" ? toVisible(command) : undefined;
}

/** The maximum length of an introduction to a command, such as "Resume it:", that is not shown above the command. */
const maxIntroduction = 24;

/** True if the advice consists of the command and a short introduction. */
function saysOnly(advice: string, command: string | undefined): boolean {
  if (command === undefined || !advice.includes(command)) return false;
  const rest = advice.replace(command, "");
  return rest.length <= maxIntroduction && !/[,;]/.test(rest);
}

function warningsOf({ warnings, warning_details: details }: Meta): readonly string[] {
  const messages = warnings ?? details?.map(({ message }) => message) ?? [];
  return messages.map((message) => toVisible(message));
}

/** Formats a value in one line; objects and lists are written as JSON. */
function toCell(value: unknown): string {
  if (value === undefined) return "";
  if (value === null) return "-";
  return toVisible(typeof value === "object" ? JSON.stringify(value) : String(value));
}

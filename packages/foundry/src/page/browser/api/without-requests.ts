/**
 * Takes the HTTP requests out of the remedy of an error, because nobody types them on a page. "Start it first:
 * POST /api/tools/task {…}" becomes "Start it first"; in the middle of a sentence, the names of the tool and of its
 * action stay.
 */
export function withoutRequests(text: string): string {
  let shown = "";
  let at = 0;
  for (const found of text.matchAll(/POST \/api\/tools\/([\w-]+) (?=\{)/g)) {
    if (found.index < at) continue;
    const begin = found.index + found[0].length;
    const end = endOfObject(text, begin);
    const before = text.slice(at, found.index);
    const action = /^\{"action":"([\w-]+)"/.exec(text.slice(begin, end))?.[1] ?? "";
    const isApart = before.endsWith(": ") && /^(?:[.;,]|$)/.test(text.slice(end, end + 1));
    shown += isApart ? before.slice(0, -2) : before + `${found[1]} ${action}`.trim();
    at = end;
  }
  return shown + text.slice(at);
}

/** Returns the index after the JSON object that begins at an index. */
function endOfObject(text: string, begin: number): number {
  let depth = 0;
  for (const token of text.slice(begin).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token[0] === "{") depth += 1;
    if (token[0] === "}") depth -= 1;
    if (depth === 0) return begin + token.index + token[0].length;
  }
  return text.length;
}

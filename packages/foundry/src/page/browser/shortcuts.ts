import { useEffect } from "preact/hooks";
import { openConflict, openDialog } from "./acts/dialogs.ts";
import { undo } from "./acts/undo.ts";
import { currentRoute, go } from "./routes/current-route.ts";
import { specHash, specTabs } from "./routes/route.ts";
import { canWrite } from "./state/session.ts";

/** Keys that work everywhere on the page. Keys of a task work on the task that has the focus. */
export const pageKeys: readonly (readonly [keys: string, text: string])[] = [
  ["Ctrl K or /", "Search, jump or act"],
  ["g s, g n, g g, g c", "Go to specs, now, gateway, contract"],
  ["1 to 5", "Board, tree, graph, history, statistics of a spec"],
  ["n", "Add a task, or a spec in the list of specs"],
  ["f", "Go to the filter"],
  ["z", "Undo your last change of this spec"],
  ["?", "Show this list"],
];

/** The keys of the task that has the focus. */
export const taskKeys: readonly (readonly [keys: string, text: string])[] = [
  ["Arrow keys", "Go from task to task"],
  ["Enter", "Open the task; Escape closes it"],
  ["s, c, b, u, r", "Start, complete, block, unblock, reopen"],
  ["p", "Stop: back to pending"],
  ["e", "Edit the text and the fields"],
  ["m", "Move to another phase or place"],
  ["Alt ↑ or ↓", "Move up or down in its phase"],
];

/** Handles the keys of the page. */
export function useShortcuts(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    let isAfterG = false;
    const onKey = (event: KeyboardEvent) => {
      if (openConflict.get() !== undefined) return;
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        openDialog.update((shown) => (shown?.kind === "palette" ? undefined : { kind: "palette" }));
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (openDialog.get() !== undefined || isTyping(event.target)) return;
      if (isAfterG) {
        isAfterG = false;
        const hash = { s: "#/", n: "#/now", g: "#/gateway", c: "#/contract" }[event.key];
        if (hash !== undefined) {
          event.preventDefault();
          go(hash);
          return;
        }
      }
      if (run(event.key)) event.preventDefault();
      isAfterG = event.key === "g";
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [isOn]);
}

function run(key: string): boolean {
  const route = currentRoute.get();
  const tab = specTabs[Number(key) - 1];
  if (key === "/") openDialog.set({ kind: "palette" });
  else if (key === "?") openDialog.set({ kind: "keys" });
  else if (key === "f") return focusFilter();
  else if (route.name === "spec" && tab !== undefined) go(specHash(route.specId, tab, route.query));
  else if (route.name === "spec" && canWrite() && key === "n")
    openDialog.set({ kind: "add-task", specId: route.specId, parent: route.query["phase"] });
  else if (route.name === "spec" && canWrite() && key === "z") void undo(route.specId);
  else if (route.name === "specs" && canWrite() && key === "n") openDialog.set({ kind: "new-spec" });
  else return false;
  return true;
}

function focusFilter(): boolean {
  const field = document.querySelector<HTMLElement>("[data-filter]");
  field?.focus();
  return field !== null;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

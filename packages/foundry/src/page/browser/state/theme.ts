import { createStore } from "./store.ts";

/** The colours of the page: those of the system, or a choice that this browser remembers. */
export type Theme = "system" | "light" | "dark";

const key = "foundry-theme";

/** The chosen theme. */
export const theme = createStore<Theme>(readTheme());

/** Chooses a theme. */
export function setTheme(next: Theme): void {
  theme.set(next);
  show(next);
  try {
    if (next === "system") localStorage.removeItem(key);
    else localStorage.setItem(key, next);
  } catch {
    // A browser may refuse access to its storage. The theme then lasts until the page is closed.
  }
}

/** Applies the remembered theme. */
export function showTheme(): void {
  show(theme.get());
}

function show(next: Theme): void {
  if (next === "system") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.dataset["theme"] = next;
}

function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(key);
    return stored === "light" || stored === "dark" ? stored : "system";
  } catch {
    return "system";
  }
}

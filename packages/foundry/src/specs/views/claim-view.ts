import type { View } from "@foundry-mcp/toolkit/terminal";
import { changeView } from "./change-view.ts";
import { taskCardView } from "./task-card-view.ts";

/**
 * Returns the view of a claim. A task that a search found is shown as a card. A task that the caller named is
 * shown in one line.
 */
export function claimView(name: "claim" | "heartbeat" | "release"): View {
  return (data, canvas) => ("found" in data ? taskCardView : changeView(name))(data, canvas);
}

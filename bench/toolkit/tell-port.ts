/** Sends the port of this process to its parent, and ends the process when the parent disconnects. */
export function tellPort(port: number): void {
  process.once("disconnect", () => process.exit());
  process.send?.({ port });
}

/** Tells the parent where this process listens, and ends when the parent goes. */
export function tellPort(port: number): void {
  process.once("disconnect", () => process.exit());
  process.send?.({ port });
}

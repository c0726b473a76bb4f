/** The shape of what is being read, so that the page does not jump when it arrives. */
export function Loading({ label, rows = 4 }: { readonly label: string; readonly rows?: number }) {
  return (
    <div class="loading" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} class="loading-row" />
      ))}
      <span class="hidden-text">{label}</span>
    </div>
  );
}

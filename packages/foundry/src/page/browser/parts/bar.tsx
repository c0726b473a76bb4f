/** Progress as a bar, for a reader of the screen as a text. */
export function Bar({
  completed,
  total,
  label,
}: {
  readonly completed: number;
  readonly total: number;
  readonly label: string;
}) {
  const percentage = total === 0 ? 0 : Math.floor((completed * 100) / total);
  return (
    <span
      class="bar"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percentage}
      aria-valuetext={`${completed} of ${total}, ${percentage} %`}
    >
      <span class="bar-done" style={{ width: `${percentage}%` }} />
    </span>
  );
}

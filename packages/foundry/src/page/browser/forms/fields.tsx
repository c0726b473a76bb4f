import type { ComponentChildren } from "preact";

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string;
  readonly isRequired?: boolean;
  /** True for the field that has the focus when the form opens. */
  readonly isFirst?: boolean;
}

/** A field for one line. */
export function TextField({
  label,
  value,
  onChange,
  hint,
  isRequired = false,
  isFirst = false,
  list,
}: FieldProps & { readonly list?: readonly string[] }) {
  const listId = list === undefined ? undefined : `list-${label.toLowerCase().replaceAll(/\W+/g, "-")}`;
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="text"
        value={value}
        required={isRequired}
        data-first={isFirst ? "" : undefined}
        list={listId}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {listId !== undefined && (
        <datalist id={listId}>
          {list?.slice(0, 200).map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      {hint !== undefined && <small>{hint}</small>}
    </label>
  );
}

/** A field for several lines. */
export function AreaField({
  label,
  value,
  onChange,
  hint,
  isRequired = false,
  isFirst = false,
  rows = 4,
}: FieldProps & { readonly rows?: number }) {
  return (
    <label class="field">
      <span>{label}</span>
      <textarea
        rows={rows}
        value={value}
        required={isRequired}
        data-first={isFirst ? "" : undefined}
        dir="auto"
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {hint !== undefined && <small>{hint}</small>}
    </label>
  );
}

/** A field for one of several values. */
export function ChoiceField({
  label,
  value,
  options,
  onChange,
  isFirst = false,
}: Omit<FieldProps, "hint" | "isRequired"> & {
  readonly options: readonly (readonly [value: string, text: string])[];
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <select
        value={value}
        data-first={isFirst ? "" : undefined}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Fields beside each other, if there is room. */
export function FieldRow({ children }: { readonly children: ComponentChildren }) {
  return <div class="field-row">{children}</div>;
}

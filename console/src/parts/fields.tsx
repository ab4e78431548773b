// Form fields: label, input, hint and error, linked for screen readers.

import { type ComponentProps, type ReactNode, useId } from 'react';

type Common = {
  readonly label: string;
  readonly hint?: ReactNode;
  /** The validation error of the server or of the form. */
  readonly error?: string | undefined;
  /** Fills the remaining width of a row of filters. */
  readonly wide?: boolean;
};

type FrameProps = Common & { readonly id: string; readonly children: ReactNode };

const Frame = ({ id, label, hint, error, wide, children }: FrameProps) => (
  <div className="field" data-wide={wide || undefined}>
    <label htmlFor={id}>{label}</label>
    {children}
    {hint ? (
      <span id={`${id}-hint`} className="field-hint">
        {hint}
      </span>
    ) : null}
    {error ? (
      <span id={`${id}-error`} className="field-error" role="alert">
        {error}
      </span>
    ) : null}
  </div>
);

const tied = (id: string, { hint, error }: Common) => ({
  id,
  className: 'input',
  'aria-invalid': error ? true : undefined,
  'aria-describedby': [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined,
});

const split = <Props extends Common>({ label, hint, error, wide, ...rest }: Props) => ({
  common: { label, hint, error, ...(wide === undefined ? {} : { wide }) } as Common,
  rest,
});

export const TextField = (props: Common & ComponentProps<'input'>) => {
  const id = useId();
  const { common, rest } = split(props);
  return (
    <Frame {...common} id={id}>
      <input autoComplete="off" spellCheck={false} {...rest} {...tied(id, common)} />
    </Frame>
  );
};

/** A text field and not a number field, because an amount is never a float. */
export const AmountField = (props: Common & ComponentProps<'input'>) => (
  <TextField inputMode="decimal" placeholder="0.00" {...props} />
);

export const TextArea = (props: Common & ComponentProps<'textarea'>) => {
  const id = useId();
  const { common, rest } = split(props);
  return (
    <Frame {...common} id={id}>
      <textarea rows={3} {...rest} {...tied(id, common)} />
    </Frame>
  );
};

type SelectProps = Common &
  Omit<ComponentProps<'select'>, 'children'> & {
    readonly options: readonly { readonly value: string; readonly name: string }[];
  };

export const SelectField = ({ options, ...props }: SelectProps) => {
  const id = useId();
  const { common, rest } = split(props);
  return (
    <Frame {...common} id={id}>
      <select {...rest} {...tied(id, common)}>
        {options.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </Frame>
  );
};

export const CheckField = ({ label, ...rest }: { readonly label: ReactNode } & ComponentProps<'input'>) => (
  <label className="check">
    <input type="checkbox" {...rest} />
    <span>{label}</span>
  </label>
);

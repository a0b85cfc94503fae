/** A small form of text fields, for the pages before sign-in, which load without a form library. */
import { type ChangeEvent, type FormEvent, useState } from 'react';

export interface TextFields<Values extends Record<string, string>> {
  readonly values: Values;
  /** One message per invalid field. */
  readonly errors: Readonly<Record<string, string>>;
  /** For a text input. Input clears the field's message. */
  readonly propsOf: (name: keyof Values & string) => {
    readonly name: string;
    readonly value: string;
    readonly error: string | undefined;
    readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  };
  /** Submits valid values only. */
  readonly onSubmit: (
    submit: (values: Values) => Promise<void>,
  ) => (event: FormEvent<HTMLFormElement>) => void;
}

/** @param check returns one message per invalid field */
export function useFields<Values extends Record<string, string>>(
  initialValues: Values,
  check: (values: Values) => Readonly<Record<string, string>>,
): TextFields<Values> {
  const [values, setValues] = useState(initialValues);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  return {
    values,
    errors,
    propsOf: (name) => ({
      name,
      value: values[name] ?? '',
      error: errors[name],
      onChange: ({ currentTarget: { value } }) => {
        setValues((current) => ({ ...current, [name]: value }));
        setErrors(({ [name]: _cleared, ...others }) => others);
      },
    }),
    onSubmit: (submit) => (event) => {
      event.preventDefault();
      const found = check(values);
      setErrors(found);
      if (Object.keys(found).length === 0) void submit(values);
    },
  };
}

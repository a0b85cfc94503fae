/** Monospaced text field for machine-readable values: slugs, keys, claims. */
import { TextInput, type TextInputProps } from '@mantine/core';
import classes from './mono-text-input.module.css';

export function MonoTextInput(props: TextInputProps) {
  return (
    <TextInput
      spellCheck={false}
      autoCapitalize="off"
      classNames={{ input: classes.input ?? '' }}
      {...props}
    />
  );
}

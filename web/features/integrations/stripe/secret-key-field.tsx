/** Where a secret key is pasted; it is hidden as it is typed, and never shown again once it is stored. */
import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import classes from './stripe.module.css';

export function SecretKeyField(props: PasswordInputProps) {
  return (
    <PasswordInput
      placeholder="rk_test_… or sk_test_…"
      required
      autoComplete="off"
      spellCheck={false}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the key', tabIndex: 0 }}
      {...props}
      classNames={{ innerInput: classes.mono ?? '' }}
    />
  );
}

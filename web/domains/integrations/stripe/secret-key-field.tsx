/** The input for a secret key. The text is hidden while typing, and never shown again after saving. */
import { PasswordInput, type PasswordInputProps } from '@mantine/core';

export function SecretKeyField(props: PasswordInputProps) {
  return (
    <PasswordInput
      placeholder="rk_test_… or sk_test_…"
      required
      autoComplete="off"
      spellCheck={false}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the key', tabIndex: 0 }}
      {...props}
      classNames={{ innerInput: 'mono' }}
    />
  );
}

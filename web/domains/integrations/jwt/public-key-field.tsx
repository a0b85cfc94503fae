/** The input for a public key. The Worker parses and validates the key. */
import { Textarea, type TextareaProps } from '@mantine/core';

const PLACEHOLDER = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA…
-----END PUBLIC KEY-----`;

export function PublicKeyField(props: TextareaProps) {
  return (
    <Textarea
      description="The address of your provider’s JWKS (https://…), which is kept up to date, or a key or certificate in PEM form, a JWK, or a JWKS with up to ten keys. Never a private key."
      placeholder={PLACEHOLDER}
      required
      autosize
      minRows={4}
      maxRows={12}
      spellCheck={false}
      autoCapitalize="off"
      autoComplete="off"
      {...props}
      classNames={{ input: 'small mono' }}
    />
  );
}

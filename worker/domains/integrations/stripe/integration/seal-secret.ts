/**
 * Encrypts an integration's key and signing secrets at rest. The ciphertext is bound to its organisation, integration
 * and field, so it does not decrypt elsewhere.
 */
import { openEncryption } from '#worker/platform/encryption';

export type SealedField = 'secret-key' | 'webhook-secret';

/** The Worker's settings satisfy this. */
export interface SealSettings {
  readonly encryptionKey: string;
}

interface Owner {
  readonly orgId: string;
  readonly id: string;
}

export function sealSecret(
  { encryptionKey }: SealSettings,
  owner: Owner,
  field: SealedField,
  text: string,
): Promise<string> {
  return openEncryption(encryptionKey).encrypt(text, contextOf(owner, field));
}

/** @throws {DecryptionError} */
export function openSecret(
  { encryptionKey }: SealSettings,
  owner: Owner,
  field: SealedField,
  sealed: string,
): Promise<string> {
  return openEncryption(encryptionKey).decrypt(sealed, contextOf(owner, field));
}

/** Binds an encrypted secret to its row and field. */
export function contextOf({ orgId, id }: Owner, field: SealedField): string[] {
  return [orgId, `stripe-integration/${field}`, id];
}

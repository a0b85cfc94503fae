/**
 * Encrypts an integration's key and signing secrets at rest. The ciphertext is bound to its organisation, integration
 * and field, so it does not decrypt elsewhere.
 */
import type { Encryption } from '#worker/platform/encryption';

export type SealedField = 'secret-key' | 'webhook-secret';

/** The Worker's settings satisfy this. */
export interface SealSettings {
  readonly encryption: Encryption;
}

interface Owner {
  readonly orgId: string;
  readonly id: string;
}

export function sealSecret(
  { encryption }: SealSettings,
  owner: Owner,
  field: SealedField,
  text: string,
): Promise<string> {
  return encryption.encrypt(text, contextOf(owner, field));
}

/** @throws {DecryptionError} */
export function openSecret(
  { encryption }: SealSettings,
  owner: Owner,
  field: SealedField,
  sealed: string,
): Promise<string> {
  return encryption.decrypt(sealed, contextOf(owner, field));
}

/** Binds an encrypted secret to its row and field. */
export function contextOf({ orgId, id }: Owner, field: SealedField): string[] {
  return [orgId, `stripe-integration/${field}`, id];
}

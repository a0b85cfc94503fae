/** The name of a reading among those of one answer. */
import type { LedgerRead } from '#contracts/internal/ledger';

/** Of the customer: the property's id. */
export function readingKey({ propertyId, ofEntity }: Pick<LedgerRead, 'propertyId' | 'ofEntity'>): string {
  return ofEntity === true ? entityKey(propertyId) : propertyId;
}

/** Of the call's entity. No id of a property ends so. */
export function entityKey(propertyId: string): string {
  return `${propertyId}\0`;
}

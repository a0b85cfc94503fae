/**
 * Stores the selected organisation's id per tab, so that pages without an organisation in the URL (the account, the
 * dashboard at /) keep the last selection.
 */
import { useSyncExternalStore } from 'react';

const KEY = 'selected-organisation';
const listeners = new Set<() => void>();
let selected: string | null | undefined;

/** The id, or null if none is selected. */
export function selectedOrganisation(): string | null {
  if (selected === undefined) selected = readStored();
  return selected;
}

export function selectOrganisation(orgId: string | null): void {
  if (orgId === selectedOrganisation()) return;
  selected = orgId;
  try {
    if (orgId === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, orgId);
  } catch {
    // Storage is blocked. The selection lasts until the page is reloaded.
  }
  for (const listener of listeners) listener();
}

export function useSelectedOrganisation(): string | null {
  return useSyncExternalStore(subscribe, selectedOrganisation);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function readStored(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

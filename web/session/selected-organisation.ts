/**
 * Which organisation is selected. Kept for the tab, so that pages without an organisation in their address (the
 * account, the dashboard at /) stay with the one last looked at.
 */
import { useSyncExternalStore } from 'react';

const KEY = 'selected-organisation';
const listeners = new Set<() => void>();
let selected: string | null | undefined;

/** The id, or null while none is selected. */
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
    // Storage is blocked: the selection lasts as long as the page.
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

/** The part of the top bar into which pages render their breadcrumbs. */
import { createContext, useContext } from 'react';
import { createPortal } from 'react-dom';
import { Breadcrumbs, type Crumb } from './breadcrumbs.tsx';

export const HeaderSlot = createContext<HTMLElement | null>(null);

export function HeaderCrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  const slot = useContext(HeaderSlot);
  return slot === null ? null : createPortal(<Breadcrumbs crumbs={crumbs} />, slot);
}

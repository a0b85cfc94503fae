/** The part of the top bar into which pages render their breadcrumbs. */
import { createContext, useContext } from 'react';
import { createPortal } from 'react-dom';
import { Breadcrumbs, type Crumb } from './breadcrumbs.tsx';

interface Slot {
  readonly element: HTMLElement | null;
  /** The address of Dashboard. */
  readonly home: string;
}

export const HeaderSlot = createContext<Slot>({ element: null, home: '/' });

/** @param crumbs below Dashboard */
export function HeaderCrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  const { element, home } = useContext(HeaderSlot);
  const all = [{ label: 'Dashboard', to: home }, ...crumbs];
  return element === null ? null : createPortal(<Breadcrumbs crumbs={all} />, element);
}

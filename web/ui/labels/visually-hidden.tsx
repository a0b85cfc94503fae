/** Text for screen readers only. */
import type { ReactNode } from 'react';

export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="visually-hidden nowrap">{children}</span>;
}
